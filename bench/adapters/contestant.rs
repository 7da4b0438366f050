// The struct of contestant.h for adapters written in Rust; each includes this file.

use std::ffi::{c_char, c_void};

pub const ABI: u32 = 1;

#[repr(C)]
pub struct Tally {
    pub items: u64,
    pub attributes: u64,
    pub bytes: u64,
    pub mix: u64,
}

impl Tally {
    #[inline]
    pub fn see(&mut self, string: &[u8]) {
        self.bytes += string.len() as u64;
        if let Some(&first) = string.first() {
            self.mix += u64::from(first);
        }
    }
}

pub type Operation = Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize, *mut Tally) -> bool>;

#[repr(C)]
pub struct Contestant {
    pub abi: u32,
    pub name: *const c_char,
    pub version: *const c_char,
    pub note: *const c_char,
    pub open: unsafe extern "C" fn() -> *mut c_void,
    pub close: unsafe extern "C" fn(*mut c_void),
    pub tokens: Operation,
    pub tree_new: Operation,
    pub tree_reused: Operation,
    pub visit: Operation,
    pub serialize: Operation,
    pub sniffed: Operation,
    pub fragment_new: Operation,
    pub fragment_reused: Operation,
    pub links: Operation,
    pub checked: Operation,
    pub hold: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> *mut c_void>,
    pub drop: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
}

unsafe impl Sync for Contestant {}

/// The page that the runner hands over. It promises valid UTF-8, but a Rust user has a `str` only
/// after a check, so the check is part of the work.
#[allow(dead_code)]
pub unsafe fn page<'a>(data: *const c_char, length: usize) -> Option<&'a str> {
    std::str::from_utf8(bytes(data, length)).ok()
}

pub unsafe fn bytes<'a>(data: *const c_char, length: usize) -> &'a [u8] {
    std::slice::from_raw_parts(data.cast::<u8>(), length)
}

/// What "open" answers when nothing is kept from page to page.
pub unsafe extern "C" fn open_nothing() -> *mut c_void {
    std::ptr::NonNull::<u8>::dangling().as_ptr().cast()
}

pub unsafe extern "C" fn close_nothing(_: *mut c_void) {}
