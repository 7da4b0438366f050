//! html5ever with a sink that keeps nodes in an arena (faster than its reference-counted test DOM).
//! html5ever has nothing that can be reused from page to page.

use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::serialize::{HtmlSerializer, SerializeOpts, Serializer};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{
    local_name, ns, parse_document, parse_fragment, Attribute, ParseOpts, QualName,
};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_void};
use std::io::{self, Write};

#[path = "../../contestant.rs"]
mod contestant;
use contestant::{close_nothing, open_nothing, page, Contestant, Tally, ABI};

// --- the tree ---------------------------------------------------------------------------------

type Handle<'a> = &'a Node<'a>;
type Link<'a> = Cell<Option<Handle<'a>>>;

enum Data<'a> {
    Document,
    Doctype(StrTendril),
    Text(RefCell<StrTendril>),
    Comment(StrTendril),
    Instruction(StrTendril, StrTendril),
    Element {
        name: QualName,
        attributes: RefCell<Vec<Attribute>>,
        contents: Option<Handle<'a>>,
        integration_point: bool,
    },
}

struct Node<'a> {
    parent: Link<'a>,
    previous: Link<'a>,
    next: Link<'a>,
    first: Link<'a>,
    last: Link<'a>,
    data: Data<'a>,
}

impl<'a> Node<'a> {
    fn unlink(&self) {
        let (parent, previous, next) = (self.parent.take(), self.previous.take(), self.next.take());
        match (previous, parent) {
            (Some(previous), _) => previous.next.set(next),
            (None, Some(parent)) => parent.first.set(next),
            _ => {}
        }
        match (next, parent) {
            (Some(next), _) => next.previous.set(previous),
            (None, Some(parent)) => parent.last.set(previous),
            _ => {}
        }
    }

    /// Puts CHILD under self before REFERENCE, or last.
    fn insert(&'a self, child: Handle<'a>, reference: Option<Handle<'a>>) {
        child.unlink();
        let previous = match reference {
            Some(reference) => reference.previous.replace(Some(child)),
            None => self.last.replace(Some(child)),
        };
        match previous {
            Some(previous) => previous.next.set(Some(child)),
            None => self.first.set(Some(child)),
        }
        child.parent.set(Some(self));
        child.previous.set(previous);
        child.next.set(reference);
    }

    /// The node after self in tree order inside ROOT.
    fn following(&'a self, root: Handle<'a>) -> Option<Handle<'a>> {
        if let Some(child) = self.first.get() {
            return Some(child);
        }
        let mut node: Handle<'a> = self;
        while !std::ptr::eq(node, root) {
            if let Some(next) = node.next.get() {
                return Some(next);
            }
            node = node.parent.get()?;
        }
        None
    }
}

type Arena<'a> = typed_arena::Arena<Node<'a>>;

struct Sink<'a> {
    arena: &'a Arena<'a>,
    document: Handle<'a>,
    errors: &'a Cell<u64>,
}

impl<'a> Sink<'a> {
    fn node(arena: &'a Arena<'a>, data: Data<'a>) -> Handle<'a> {
        arena.alloc(Node {
            parent: Cell::new(None),
            previous: Cell::new(None),
            next: Cell::new(None),
            first: Cell::new(None),
            last: Cell::new(None),
            data,
        })
    }

    fn new(arena: &'a Arena<'a>, errors: &'a Cell<u64>) -> Self {
        let document = Self::node(arena, Data::Document);
        Sink { arena, document, errors }
    }

    fn place(&self, parent: Handle<'a>, child: NodeOrText<Handle<'a>>, reference: Option<Handle<'a>>) {
        let node = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let before = match reference {
                    Some(reference) => reference.previous.get(),
                    None => parent.last.get(),
                };
                if let Some(Node { data: Data::Text(existing), .. }) = before {
                    existing.borrow_mut().push_tendril(&text);
                    return;
                }
                Self::node(self.arena, Data::Text(RefCell::new(text)))
            }
        };
        parent.insert(node, reference);
    }
}

impl<'a> TreeSink for Sink<'a> {
    type Handle = Handle<'a>;
    type Output = Handle<'a>;
    type ElemName<'n>
        = &'n QualName
    where
        Self: 'n;

    fn finish(self) -> Handle<'a> {
        self.document
    }
    fn parse_error(&self, _: Cow<'static, str>) {
        self.errors.set(self.errors.get() + 1);
    }
    fn get_document(&self) -> Handle<'a> {
        self.document
    }
    fn elem_name<'n>(&'n self, target: &'n Handle<'a>) -> &'n QualName {
        match &target.data {
            Data::Element { name, .. } => name,
            _ => unreachable!(),
        }
    }
    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle<'a> {
        let contents = flags.template.then(|| Self::node(self.arena, Data::Document));
        Self::node(
            self.arena,
            Data::Element {
                name,
                attributes: RefCell::new(attributes),
                contents,
                integration_point: flags.mathml_annotation_xml_integration_point,
            },
        )
    }
    fn create_comment(&self, text: StrTendril) -> Handle<'a> {
        Self::node(self.arena, Data::Comment(text))
    }
    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle<'a> {
        Self::node(self.arena, Data::Instruction(target, data))
    }
    fn append(&self, parent: &Handle<'a>, child: NodeOrText<Handle<'a>>) {
        self.place(parent, child, None);
    }
    fn append_based_on_parent_node(&self, element: &Handle<'a>, previous: &Handle<'a>, child: NodeOrText<Handle<'a>>) {
        if element.parent.get().is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }
    fn append_doctype_to_document(&self, name: StrTendril, _: StrTendril, _: StrTendril) {
        self.document.insert(Self::node(self.arena, Data::Doctype(name)), None);
    }
    fn get_template_contents(&self, target: &Handle<'a>) -> Handle<'a> {
        match &target.data {
            Data::Element { contents: Some(contents), .. } => contents,
            _ => unreachable!(),
        }
    }
    fn same_node(&self, x: &Handle<'a>, y: &Handle<'a>) -> bool {
        std::ptr::eq::<Node>(*x, *y)
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, sibling: &Handle<'a>, child: NodeOrText<Handle<'a>>) {
        if let Some(parent) = sibling.parent.get() {
            self.place(parent, child, Some(sibling));
        }
    }
    fn add_attrs_if_missing(&self, target: &Handle<'a>, new: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &target.data {
            let mut attributes = attributes.borrow_mut();
            for attribute in new {
                if attributes.iter().all(|old| old.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }
    fn remove_from_parent(&self, target: &Handle<'a>) {
        target.unlink();
    }
    fn reparent_children(&self, node: &Handle<'a>, parent: &Handle<'a>) {
        while let Some(child) = node.first.get() {
            parent.insert(child, None);
        }
    }
    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle<'a>) -> bool {
        matches!(target.data, Data::Element { integration_point: true, .. })
    }
}

fn options(exact_errors: bool) -> ParseOpts {
    ParseOpts {
        tokenizer: TokenizerOpts { exact_errors, ..Default::default() },
        tree_builder: TreeBuilderOpts { exact_errors, scripting_enabled: false, ..Default::default() },
    }
}

/// Parses TEXT, hands the document to SEE, frees it.
fn with_tree(text: &str, exact_errors: bool, see: impl FnOnce(Handle<'_>) -> bool) -> (bool, u64) {
    let errors = Cell::new(0);
    let arena = Arena::new();
    let document = parse_document(Sink::new(&arena, &errors), options(exact_errors)).one(text);
    (see(document), errors.get())
}

// --- operations -------------------------------------------------------------------------------

unsafe extern "C" fn tree_new(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let Some(text) = page(data, length) else { return false };
    (*work).items += 1;
    with_tree(text, false, |document| document.first.get().is_some()).0
}

unsafe extern "C" fn checked(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let Some(text) = page(data, length) else { return false };
    let (good, errors) = with_tree(text, true, |document| document.first.get().is_some());
    (*work).items += 1;
    (*work).attributes += errors;
    good
}

unsafe extern "C" fn visit(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let Some(text) = page(data, length) else { return false };
    let work = &mut *work;
    with_tree(text, false, |document| {
        let mut next = Some(document);
        while let Some(node) = next {
            work.items += 1;
            match &node.data {
                Data::Element { name, attributes, .. } => {
                    work.see(name.local.as_bytes());
                    for attribute in attributes.borrow().iter() {
                        work.attributes += 1;
                        if let Some(prefix) = attribute.name.prefix.as_ref().filter(|prefix| !prefix.is_empty()) {
                            work.bytes += prefix.len() as u64 + 1; // "xlink:"
                        }
                        work.see(attribute.name.local.as_bytes());
                        work.see(attribute.value.as_bytes());
                    }
                }
                Data::Text(text) => work.see(text.borrow().as_bytes()),
                Data::Comment(text) => work.see(text.as_bytes()),
                Data::Instruction(_, text) => work.see(text.as_bytes()),
                Data::Document | Data::Doctype(_) => {}
            }
            next = node.following(document);
        }
        true
    })
    .0
}

struct Writer<'a>(&'a mut Tally);

impl Write for Writer<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.0.see(data);
        Ok(data.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Depth first without recursion; template contents follow their element's start tag.
fn write_tree<'a>(root: Handle<'a>, serializer: &mut HtmlSerializer<Writer<'_>>) -> io::Result<()> {
    enum Step<'a> {
        Node(Handle<'a>),
        End(&'a QualName),
    }
    let mut steps = Vec::new();
    let push_children = |steps: &mut Vec<Step<'a>>, node: Handle<'a>| {
        let mut child = node.last.get();
        while let Some(node) = child {
            steps.push(Step::Node(node));
            child = node.previous.get();
        }
    };
    push_children(&mut steps, root);
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::End(name) => {
                serializer.end_elem(name.clone())?;
                continue;
            }
            Step::Node(node) => node,
        };
        match &node.data {
            Data::Element { name, attributes, contents, .. } => {
                let attributes = attributes.borrow();
                serializer.start_elem(name.clone(), attributes.iter().map(|a| (&a.name, &a.value[..])))?;
                steps.push(Step::End(name));
                push_children(&mut steps, contents.unwrap_or(node));
            }
            Data::Text(text) => serializer.write_text(&text.borrow())?,
            Data::Comment(text) => serializer.write_comment(text)?,
            Data::Instruction(target, text) => serializer.write_processing_instruction(target, text)?,
            Data::Doctype(name) => serializer.write_doctype(name)?,
            Data::Document => {}
        }
    }
    Ok(())
}

unsafe extern "C" fn serialize(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let Some(text) = page(data, length) else { return false };
    let work = &mut *work;
    with_tree(text, false, |document| {
        let options = SerializeOpts { scripting_enabled: false, ..Default::default() };
        write_tree(document, &mut HtmlSerializer::new(Writer(work), options)).is_ok()
    })
    .0
}

unsafe extern "C" fn fragment_new(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let Some(text) = page(data, length) else { return false };
    let errors = Cell::new(0);
    let arena = Arena::new();
    let context = QualName::new(None, ns!(html), local_name!("div"));
    let document = parse_fragment(Sink::new(&arena, &errors), options(false), context, Vec::new(), false).one(text);
    (*work).items += 1;
    document.first.get().is_some()
}

unsafe extern "C" fn links(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let Some(text) = page(data, length) else { return false };
    let work = &mut *work;
    with_tree(text, false, |document| {
        let mut next = Some(document);
        while let Some(node) = next {
            next = node.following(document);
            let Data::Element { name, attributes, .. } = &node.data else { continue };
            let wanted = match name.local {
                local_name!("a") | local_name!("area") | local_name!("link") => local_name!("href"),
                local_name!("img") | local_name!("script") | local_name!("iframe") | local_name!("source") => {
                    local_name!("src")
                }
                _ => continue,
            };
            if let Some(attribute) = attributes.borrow().iter().find(|a| a.name.local == wanted) {
                work.items += 1;
                work.see(attribute.value.as_bytes());
            }
        }
        true
    })
    .0
}

// --- tokens only ------------------------------------------------------------------------------

struct Counter<'a>(RefCell<&'a mut Tally>);

impl TokenSink for Counter<'_> {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut work = self.0.borrow_mut();
        work.items += 1;
        match token {
            Token::TagToken(tag) => {
                work.see(tag.name.as_bytes());
                for attribute in &tag.attrs {
                    work.attributes += 1;
                    work.see(attribute.name.local.as_bytes());
                    work.see(attribute.value.as_bytes());
                }
                if tag.kind == TagKind::StartTag {
                    // What the tree builder would answer.
                    match tag.name {
                        local_name!("script") => return TokenSinkResult::RawData(RawKind::ScriptData),
                        local_name!("style") | local_name!("xmp") | local_name!("iframe") | local_name!("noembed")
                        | local_name!("noframes") => return TokenSinkResult::RawData(RawKind::Rawtext),
                        local_name!("title") | local_name!("textarea") => {
                            return TokenSinkResult::RawData(RawKind::Rcdata)
                        }
                        local_name!("plaintext") => return TokenSinkResult::Plaintext,
                        _ => {}
                    }
                }
            }
            Token::CharacterTokens(text) | Token::CommentToken(text) => work.see(text.as_bytes()),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

unsafe extern "C" fn tokens(_: *mut c_void, data: *const c_char, length: usize, work: *mut Tally) -> bool {
    let Some(text) = page(data, length) else { return false };
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let tokenizer = Tokenizer::new(Counter(RefCell::new(&mut *work)), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    input.is_empty()
}

// --- memory -----------------------------------------------------------------------------------

/// Boxed, so that the arena does not move while its nodes point into it.
unsafe extern "C" fn hold(_: *mut c_void, data: *const c_char, length: usize) -> *mut c_void {
    let Some(text) = page(data, length) else { return std::ptr::null_mut() };
    let errors = Cell::new(0_u64);
    let arena: *mut Arena<'static> = Box::into_raw(Box::new(Arena::new()));
    let errors: &'static Cell<u64> = &*(&errors as *const Cell<u64>);
    parse_document(Sink::new(&*arena, errors), options(false)).one(text);
    arena.cast()
}

unsafe extern "C" fn drop_held(_: *mut c_void, held: *mut c_void) {
    drop(Box::from_raw(held.cast::<Arena<'static>>()));
}

static HTML5EVER: Contestant = Contestant {
    abi: ABI,
    name: c"html5ever".as_ptr(),
    version: c"0.40.1".as_ptr(),
    note: c"arena sink; fat LTO; UTF-8 is checked; nothing can be reused".as_ptr(),
    open: open_nothing,
    close: close_nothing,
    tokens: Some(tokens),
    tree_new: Some(tree_new),
    tree_reused: None,
    visit: Some(visit),
    serialize: Some(serialize),
    sniffed: None,
    fragment_new: Some(fragment_new),
    fragment_reused: None,
    links: Some(links),
    checked: Some(checked),
    hold: Some(hold),
    drop: Some(drop_held),
};

#[no_mangle]
pub extern "C" fn contestant_at(index: u32) -> *const Contestant {
    if index == 0 {
        &HTML5EVER
    } else {
        std::ptr::null()
    }
}
