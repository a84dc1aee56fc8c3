import { html, Html, type Mail } from '../../../../kit/index.js';

const FONT = 'font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#1d2430';
const SOFT = 'margin:24px 0 0;padding-top:12px;border-top:1px solid #dfe3ea;color:#5b6472;font-size:13px';
const BUTTON =
  'display:inline-block;background:#24457c;color:#fff;text-decoration:none;font-weight:600;padding:12px 22px;border-radius:10px';
const ADDRESS = /https?:\/\/[^\s<>"]{1,2000}/g;

export interface MailBody {
  /** What was written; an empty line separates paragraphs. */
  text: string;
  /** The author, such as an agent's name; null if there is none. */
  signature: string | null;
  /** The organization's name, the ticket's number and the like, below everything. */
  footer: string;
  link?: { url: string; button: string; lead: string };
}

/** The text and the HTML of a mail about a ticket. It looks like a mail that a person wrote. */
export function mailBody({ text, signature, footer, link }: MailBody): Pick<Mail, 'text'> & { html: string } {
  const parts = [text.trim(), ...(link ? [`${link.lead}\n${link.url}`] : []), ...(signature === null ? [] : [signature])];
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((part) => html`<p style="margin:0 0 14px">${linesOf(part)}</p>\n`);
  const markup = html`<!doctype html><html><head><meta charset="utf-8"></head><body style="margin:0;padding:8px;${FONT}">
${paragraphs}${link !== undefined && html`<p style="margin:18px 0"><a href="${link.url}" style="${BUTTON}">${link.button}</a></p>\n`}${
    signature !== null && html`<p style="margin:0">${signature}</p>\n`
  }<p style="${SOFT}">${footer}</p></body></html>\n`;
  return { text: `${parts.join('\n\n')}\n\n-- \n${footer}\n`, html: markup.markup };
}

function linesOf(text: string): Html[] {
  return text.split('\n').map((line, index) => html`${index > 0 && new Html('<br>')}${linked(line)}`);
}

/** Turns visible addresses into links, so that every link leads where its text says. */
function linked(line: string): Html[] {
  const parts: Html[] = [];
  let at = 0;
  for (const match of line.matchAll(ADDRESS)) {
    const url = match[0].replace(/[.,;:!?)\]}']+$/, '');
    parts.push(html`${line.slice(at, match.index)}<a href="${url}">${url}</a>`);
    at = match.index + url.length;
  }
  return [...parts, html`${line.slice(at)}`];
}
