import sanitizeHtml from 'sanitize-html';

/** Larger HTML is left out: the text says the same, and nobody reads a megabyte of mark-up. */
const LONGEST_HTML = 500_000;
const DEEPEST = 200;

const COLOR = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i, /^[a-z]{3,20}$/i];

/** Styles that neither load anything nor place text over what surrounds it. */
const STYLES = {
  color: COLOR,
  'background-color': COLOR,
  'text-align': [/^(?:left|right|center|justify)$/],
  'text-decoration': [/^(?:none|underline|line-through)$/],
  'font-weight': [/^(?:normal|bold|[1-9]00)$/],
  'font-style': [/^(?:normal|italic)$/],
};

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'div', 'span', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'a', 'font'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del', 'ins', 'sub', 'sup', 'small', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'bdi', 'bdo', 'center'],
  ],
  // no class, id or name: they would match what surrounds the mail
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'align', 'valign'],
    a: ['href', 'rel', 'title'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    font: ['color'],
  },
  allowedStyles: { '*': STYLES },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // of these, the text goes too
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'template', 'iframe', 'object', 'svg', 'math', 'xmp'],
  nestingLimit: DEEPEST,
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }),
    // pictures of strangers are loaded from strangers: they tell who read the mail, and when
    img: (name, { alt }) => (alt ? { tagName: 'span', attribs: {}, text: `[${alt.slice(0, 200)}]` } : { tagName: name, attribs: {} }),
  },
};

/** The containers in which Gmail, Apple Mail, Thunderbird, Yahoo and Outlook on the web quote what they answer. */
function isQuotation(tag: string, attribs: sanitizeHtml.Attributes): boolean {
  if (tag === 'blockquote' && attribs.type === 'cite') return true;
  const names = ` ${attribs.class ?? ''} ${attribs.id ?? ''} `;
  return /\s(?:gmail_quote|gmail_quote_container|yahoo_quoted|moz-cite-prefix|protonmail_quote|divRplyFwdMsg)\s/.test(names);
}

/** A tag that nobody allows, whose content goes too. */
const QUOTATION = 'quotation';

const WITHOUT_QUOTATION: sanitizeHtml.IOptions = {
  ...OPTIONS,
  nonTextTags: [...(OPTIONS.nonTextTags ?? []), QUOTATION],
  transformTags: {
    ...OPTIONS.transformTags,
    '*': (tagName, attribs) => ({ tagName: isQuotation(tagName, attribs) ? QUOTATION : tagName, attribs }),
  },
};

/**
 * The HTML of a stranger as it may be shown in a page of the suite's users: no scripts, forms, styles that cover the page, nor anything
 * that is loaded from elsewhere. Null if nothing is left or it is too large.
 */
export function sanitizedHtml(html: string, withoutQuotation: boolean): string | null {
  if (html.length > LONGEST_HTML) return null;
  const clean = sanitizeHtml(html, withoutQuotation ? WITHOUT_QUOTATION : OPTIONS).trim();
  return clean.replace(/<[^>]*>|&nbsp;/g, '').trim() === '' ? null : clean;
}
