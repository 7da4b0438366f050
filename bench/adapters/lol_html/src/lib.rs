//! lol_html, a streaming rewriter without a tree: with a handler on every element, text and comment,
//! with none, and with link selectors. Its attribute values and text are not decoded (character
//! references stay as they are), so it does less than a tokenizer.

use lol_html::{
    doc_comments, doc_text, element, HtmlRewriter, OutputSink, Settings,
};
use std::cell::RefCell;
use std::ffi::{c_char, c_void};

#[path = "../../contestant.rs"]
mod contestant;
use contestant::{bytes, close_nothing, open_nothing, Contestant, Tally, ABI};

/// Output is looked at and dropped.
struct Output<'a>(&'a RefCell<u64>);

impl OutputSink for Output<'_> {
    fn handle_chunk(&mut self, chunk: &[u8]) {
        *self.0.borrow_mut() += chunk.len() as u64;
    }
}

fn run(settings: Settings<'_, '_>, page: &[u8]) -> Option<u64> {
    let written = RefCell::new(0);
    let mut rewriter = HtmlRewriter::new(settings, Output(&written));
    rewriter.write(page).ok()?;
    rewriter.end().ok()?;
    Some(written.into_inner())
}

fn settings<'h, 's>() -> Settings<'h, 's> {
    Settings::new().with_strict(false)
}

unsafe extern "C" fn every_handler(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let work = RefCell::new(&mut *work);
    let settings = settings()
        .append_element_content_handler(element!("*", |element| {
            let mut seen = work.borrow_mut();
            seen.items += 1;
            seen.see(element.tag_name().as_bytes());
            for attribute in element.attributes() {
                seen.attributes += 1;
                seen.see(attribute.name().as_bytes());
                seen.see(attribute.value().as_bytes());
            }
            Ok(())
        }))
        .append_document_content_handler(doc_text!(|text| {
            let mut seen = work.borrow_mut();
            seen.items += 1;
            seen.see(text.as_str().as_bytes());
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|comment| {
            let mut seen = work.borrow_mut();
            seen.items += 1;
            seen.see(comment.text().as_bytes());
            Ok(())
        }));
    run(settings, bytes(data, length)).is_some()
}

unsafe extern "C" fn idle_handlers(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let work = RefCell::new(&mut *work);
    let settings = settings()
        .append_element_content_handler(element!("*", |_element| {
            work.borrow_mut().items += 1;
            Ok(())
        }))
        .append_document_content_handler(doc_text!(|_text| {
            work.borrow_mut().items += 1;
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|_comment| {
            work.borrow_mut().items += 1;
            Ok(())
        }));
    run(settings, bytes(data, length)).is_some()
}

unsafe extern "C" fn no_handler(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    match run(settings(), bytes(data, length)) {
        Some(written) => {
            (*work).bytes += written;
            true
        }
        None => false,
    }
}

unsafe extern "C" fn links(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let work = RefCell::new(&mut *work);
    let see = |value: Option<String>| {
        if let Some(value) = value {
            let mut seen = work.borrow_mut();
            seen.items += 1;
            seen.see(value.as_bytes());
        }
    };
    let settings = settings()
        .append_element_content_handler(element!("a[href], area[href], link[href]", |element| {
            see(element.get_attribute("href"));
            Ok(())
        }))
        .append_element_content_handler(element!("img[src], script[src], iframe[src], source[src]", |element| {
            see(element.get_attribute("src"));
            Ok(())
        }));
    run(settings, bytes(data, length)).is_some()
}

const fn entry(
    name: &'static std::ffi::CStr,
    note: &'static std::ffi::CStr,
    tokens: contestant::Operation,
    links: contestant::Operation,
) -> Contestant {
    Contestant {
        abi: ABI,
        name: name.as_ptr(),
        version: c"3.0.3".as_ptr(),
        note: note.as_ptr(),
        open: open_nothing,
        close: close_nothing,
        tokens,
        tree_new: None,
        tree_reused: None,
        visit: None,
        serialize: None,
        sniffed: None,
        fragment_new: None,
        fragment_reused: None,
        links,
        checked: None,
        hold: None,
        drop: None,
    }
}

static LOL_HTML: [Contestant; 3] = [
    entry(
        c"lol_html, all handlers",
        c"on every element, text and comment; values and text stay undecoded; links: by selectors",
        Some(every_handler),
        Some(links),
    ),
    entry(
        c"lol_html, idle handlers",
        c"the same handlers, which only count: no name or value is asked for",
        Some(idle_handlers),
        None,
    ),
    entry(c"lol_html, no handler", c"copies its input to its output", Some(no_handler), None),
];

#[no_mangle]
pub extern "C" fn contestant_at(index: u32) -> *const Contestant {
    LOL_HTML.get(index as usize).map_or(std::ptr::null(), |entry| entry)
}
