import sanitizeHtml from 'sanitize-html';

/** Larger HTML is dropped; the text has the same content. */
const LONGEST_HTML = 500_000;
/**
 * HTML that nests elements deeper is dropped like one that is too large, because the parser takes time in proportion to the depth for each
 * element. A browser nests 512 at most.
 */
const MOST_NESTED = 1_000;
/** Deeper elements are left out, and their text stays. */
const DEEPEST = 200;

const COLOR = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i, /^[a-z]{3,20}$/i];

/** Styles that can neither load anything nor cover the surrounding page. */
const STYLES = {
  color: COLOR,
  'background-color': COLOR,
  'text-align': [/^(?:left|right|center|justify)$/],
  'text-decoration': [/^(?:none|underline|line-through)$/],
  'font-weight': [/^(?:normal|bold|[1-9]00)$/],
  'font-style': [/^(?:normal|italic)$/],
};

/** No class, id or name: they would match what surrounds the mail. */
const ATTRIBUTES = {
  '*': ['style', 'dir', 'lang', 'align', 'valign'],
  a: ['href', 'rel', 'title'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  font: ['color'],
};

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'div', 'span', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'a', 'font'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del', 'ins', 'sub', 'sup', 'small', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'bdi', 'bdo', 'center'],
  ],
  allowedAttributes: ATTRIBUTES,
  allowedStyles: { '*': STYLES },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // the text inside these elements is dropped, too
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'template', 'iframe', 'object', 'svg', 'math', 'xmp'],
  nestingLimit: DEEPEST,
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }),
    // remote pictures would reveal to the sender who read the mail, and when
    img: (name, { alt }) => (alt ? { tagName: 'span', attribs: {}, text: `[${alt.slice(0, 200)}]` } : { tagName: name, attribs: {} }),
  },
};

/** The containers in which Gmail, Apple Mail, Thunderbird, Yahoo and Proton Mail quote what they answer. */
function isQuotation(tag: string, attribs: sanitizeHtml.Attributes): boolean {
  if (tag === 'blockquote' && attribs.type === 'cite') return true;
  const names = ` ${attribs.class ?? ''} ${attribs.id ?? ''} `;
  return /\s(?:gmail_quote|gmail_quote_container|yahoo_quoted|moz-cite-prefix|protonmail_quote)\s/.test(names);
}

/** Where Outlook begins to quote: there is no container, only something that looks like a line across. */
const OUTLOOK_QUOTATION = new RegExp(
  `(?:<hr\\b[^>]{0,200}>\\s*)?<div\\b[^>]{0,300}?(?:${[
    'id="?(?:x_)?(?:appendonsend|divRplyFwdMsg|mail-editor-reference-message-container)\\b',
    'border-top:\\s?solid #(?:E1E1E1|B5C4DF)\\b',
  ].join('|')})`,
  'i',
);

/** Marks a quotation: whatever has it is left out. The tag must be an allowed one, as the text of others would stay. */
const QUOTED = 'data-quoted';

const WITHOUT_QUOTATION: sanitizeHtml.IOptions = {
  ...OPTIONS,
  allowedAttributes: { ...ATTRIBUTES, '*': [...ATTRIBUTES['*'], QUOTED] },
  transformTags: {
    ...OPTIONS.transformTags,
    '*': (tagName, attribs) => (isQuotation(tagName, attribs) ? { tagName: 'div', attribs: { [QUOTED]: 'yes' } } : { tagName, attribs }),
  },
  exclusiveFilter: ({ attribs }) => QUOTED in attribs,
};

/**
 * Sanitizes HTML for display in a page: without scripts, forms, styles that could cover the page, and remote content. Null if nothing is
 * left, or if it is too large or nested too deeply.
 */
export function sanitizedHtml(html: string, withoutQuotation: boolean): string | null {
  if (html.length > LONGEST_HTML) return null;
  if (!withoutQuotation) return sanitized(html, OPTIONS);
  const at = OUTLOOK_QUOTATION.exec(html)?.index ?? html.length;
  return sanitized(html.slice(0, at), WITHOUT_QUOTATION) ?? sanitized(html, OPTIONS);
}

class NestedTooDeeply extends Error {}

function sanitized(html: string, options: sanitizeHtml.IOptions): string | null {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > MOST_NESTED) throw new NestedTooDeeply();
  };
  const onCloseTag = () => void depth--;
  try {
    return nonEmpty(sanitizeHtml(html, { ...options, onOpenTag, onCloseTag }));
  } catch (error) {
    if (error instanceof NestedTooDeeply) return null;
    throw error;
  }
}

function nonEmpty(clean: string): string | null {
  return clean.replace(/<[^>]*>|&nbsp;/g, '').trim() === '' ? null : clean.trim();
}
