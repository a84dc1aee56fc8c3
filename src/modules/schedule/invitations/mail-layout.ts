import { html, Html, type Mail } from '../../../kit/index.js';

/** A page on which the reader acts in their own name. */
export interface ReaderLink {
  url: string;
  /** Stands before the address in the text. */
  lead: string;
  /** The words of the link in HTML. */
  button: string;
  /** Whom the link is for. */
  note: string;
}

export interface MailContent {
  /** What has happened; it may have several lines. */
  opening: string;
  heading: string;
  /** Names and values, without the heading. */
  facts: readonly (readonly [name: string, value: string])[];
  /** Longer texts, each with its title if it has one. */
  texts: readonly { title?: string; text: string }[];
  link: ReaderLink | null;
  organization: string;
}

/** The text and the HTML of a mail about an event. */
export function mailLayout(content: MailContent): Pick<Mail, 'text'> & { html: string } {
  const { opening, heading, facts, texts, link, organization } = content;
  const text = [
    opening,
    [['Event', heading], ...facts].map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...texts.map((one) => (one.title === undefined ? one.text : `${one.title}:\n${one.text}`)),
    ...(link === null ? [] : [`${link.lead}\n${link.url}`, link.note]),
    organization,
  ];
  return { text: `${text.join('\n\n')}\n`, html: page(content).markup };
}

/** Without line breaks, for a header or a fact. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const FONT = 'font:16px/1.55 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const BODY = `margin:0;padding:24px 12px;background:#f5f6f8;color:#1d2430;${FONT}`;
const CARD = 'max-width:560px;margin:0 auto;background:#fff;border:1px solid #dfe3ea;border-radius:14px;padding:28px';
const NAME = 'padding:4px 16px 4px 0;color:#5b6472;vertical-align:top';
const BUTTON =
  'display:inline-block;background:#24457c;color:#fff;text-decoration:none;font-weight:600;padding:12px 22px;border-radius:10px';

function page({ opening, heading, facts, texts, link, organization }: MailContent): Html {
  const rows = facts.map(([name, value]) => html`<tr><td style="${NAME}">${name}</td><td style="padding:4px 0">${value}</td></tr>`);
  const paragraphs = texts.map(({ title, text }) => {
    const name = title !== undefined && html`<strong>${title}:</strong><br>`;
    return html`<p style="margin:0 0 18px">${name}${linesOf(text)}</p>`;
  });
  return html`<!doctype html><html lang="en"><body style="${BODY}"><div style="${CARD}">
<p style="margin:0 0 12px;color:#5b6472">${linesOf(opening)}</p>
<h1 style="margin:0 0 14px;font-size:24px;line-height:1.25">${heading}</h1>
<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${rows}</table>
${paragraphs}
${link && html`<p style="margin:0 0 14px"><a href="${link.url}" style="${BUTTON}">${link.button}</a></p>`}
${link && html`<p style="margin:0 0 14px;color:#5b6472;font-size:14px">${link.note}</p>`}
<p style="margin:18px 0 0;padding-top:14px;border-top:1px solid #dfe3ea;color:#5b6472;font-size:14px">${organization}</p>
</div></body></html>
`;
}

function linesOf(text: string): Html[] {
  return text.split('\n').map((line, index) => html`${index > 0 && new Html('<br>')}${line}`);
}
