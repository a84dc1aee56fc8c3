import { brandTone, html, Html, type MailContent, type MailPart } from '../../kit/index.js';
import { hexOf, SUITE_ACCENT } from '../../kit/internal.js';
import { frameTexts, isRightToLeft, type FrameTexts } from './mail-frame-texts.js';
import { MAIL_STYLE } from './mail-style.js';

/** The organization that sends a mail. */
export interface MailLook {
  organization: string;
  color: string | null;
  /** The content id of an image. Its file is not read before the mail is sent: see `withLogo`. */
  logo: string | null;
}

export interface LogoSize {
  width: number;
  height: number;
}

/** A mail as it is framed. */
export interface FramedMail {
  subject: string;
  content: MailContent;
  replyTo?: string;
}

/** Mail programs show about as many characters of a mail beside its subject. */
const PREVIEW_LENGTH = 140;
/** The most characters of a word that a narrow column has place for. */
const LONGEST_WORD = 24;
const ADDRESS = /https?:\/\/[^\s<>"]{1,2000}/g;
const SANS = `-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif`;
/** What only programs read that list mails. */
const HIDDEN = 'display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#f1f1ef';
const INK = '#1f2328';
const SOFT = '#59606a';
const BREAK = new Html('<br>');
/** Invisible characters after the preview, so that programs show nothing else beside it. */
const FILLER = new Html('&#847;&zwnj;&nbsp;'.repeat(60));

const LOGO = /<img class="logo" src="cid:([^"]*)" alt="([^"]*)"[^>]*>/;

/** A mail with its logo in the size at which it is shown, or with the name of the organization in its place. */
export function withLogo(markup: string, size: LogoSize | null): string {
  return markup.replace(LOGO, (_, cid: string, organization: string) => {
    const name = new Html(organization);
    return (size === null ? nameOf(name) : logoOf(cid, name, size)).markup;
  });
}

function nameOf(organization: string | Html): Html {
  return html`<span class="ink" style="color:${INK}"><bdi>${organization}</bdi></span>`;
}

/** Outlook knows attributes only, and shows an image without them in its full size. */
function logoOf(cid: string, organization: string | Html, size: LogoSize | null): Html {
  const attributes = size && html` width="${size.width}" height="${size.height}"`;
  const shown = size ? `width:${size.width}px;max-width:100%` : 'max-width:200px;max-height:44px';
  const style = `display:block;${shown};height:auto;border:0;border-radius:4px;background:#ffffff`;
  return html`<img class="logo" src="cid:${cid}" alt="${organization}"${attributes}\n style="${style}">`;
}

/** The text and the HTML of a mail. Both say the same. */
export function framed(look: MailLook, mail: FramedMail): { text: string; html: string } {
  return { text: textOf(look, mail), html: htmlOf(look, mail).markup };
}

function textOf({ organization }: MailLook, { content, replyTo }: FramedMail): string {
  const { heading, greeting, parts, action, notes = [], reason, language } = content;
  const texts = frameTexts(language);
  const body = [
    ...(heading ? [heading] : []),
    ...(greeting === undefined ? [] : [greeting]),
    ...parts.map((part) => partText(part, texts)),
    ...(action ? [`${action.lead ?? `${action.label}${texts.colon}`}\n${action.url}`] : []),
    ...notes,
  ];
  return `${body.join('\n\n')}\n\n-- \n${[organization, closed(reason), contactOf(texts, organization, replyTo)].join('\n')}\n`;
}

function partText(part: MailPart, { colon }: FrameTexts): string {
  if (typeof part === 'string') return part;
  if ('facts' in part) {
    const facts = part.facts.map(([label, value]) => `${labelled(label, colon)} ${value.replace(/\s+/g, ' ')}`);
    return [...(part.title === undefined ? [] : [part.title]), ...facts].join('\n');
  }
  if ('quote' in part) return `${part.by}\n${part.quote}`;
  if ('list' in part) return part.list.map((item) => `- ${item}`).join('\n');
  return 'letter' in part ? part.letter.trim() : part.text;
}

/** Labels that come from outside may end in a mark of their own. */
function labelled(label: string, colon: string): string {
  return /[.:?!]$/.test(label) ? label : `${label}${colon}`;
}

function contactOf(texts: FrameTexts, organization: string, replyTo: string | undefined): string {
  return closed(replyTo === undefined ? texts.contact(organization) : texts.replies(replyTo));
}

/** A sentence at whose end a name can stand that has a full stop of its own. */
function closed(sentence: string): string {
  return sentence.replace(/(?<!\.)\.\.$/, '.');
}

function previewOf({ preview, parts, notes = [] }: MailContent): string {
  const [first = notes[0]] = parts.flatMap((part) => (typeof part === 'string' ? part : 'letter' in part ? part.letter : []));
  const line = (preview ?? first ?? '').replace(/\s+/g, ' ').trim();
  return line.length <= PREVIEW_LENGTH ? line : `${line.slice(0, PREVIEW_LENGTH - 1)}…`;
}

interface Colors {
  /** Of the button and the band. */
  base: string;
  onBase: string;
  /** Reads well on white. */
  deep: string;
  /** Reads well on black. */
  light: string;
}

/** An organization without a color has that of the suite, as on its pages. */
function colorsOf({ color }: MailLook): Colors {
  if (color === null) {
    const base = hexOf(...SUITE_ACCENT.onLight);
    return { base, onBase: brandTone(base).onColor, deep: base, light: hexOf(...SUITE_ACCENT.onDark) };
  }
  const { hue, chroma } = brandTone(color);
  return { base: color, onBase: brandTone(color).onColor, deep: hexOf(0.43, chroma, hue), light: hexOf(0.82, chroma, hue) };
}

interface Frame {
  texts: FrameTexts;
  colors: Colors;
  /** The side on which lines end. */
  end: 'left' | 'right';
}

function htmlOf(look: MailLook, { subject, content, replyTo }: FramedMail): Html {
  const { language = 'en', greeting, heading = subject, parts, action, notes = [], reason } = content;
  const isRtl = isRightToLeft(language);
  const frame: Frame = { texts: frameTexts(language), colors: colorsOf(look), end: isRtl ? 'left' : 'right' };
  const { organization, logo } = look;
  const { base, onBase, light } = frame.colors;
  const table = html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;
  const wrap = 'overflow-wrap:anywhere;word-break:break-word';
  const body = `padding:20px 32px 32px;font:16px/1.55 ${SANS};color:${INK};${wrap}`;
  const footer = `padding:18px 32px 8px;font:13px/1.55 ${SANS};color:${SOFT};${wrap}`;
  const title = `margin:0 0 18px;font:600 22px/1.3 ${SANS};color:${INK};overflow-wrap:anywhere;hyphens:auto`;
  const note = `margin:14px 0 0;font-size:14px;line-height:1.5;color:${SOFT}`;
  const ownStyle = new Html(
    `${MAIL_STYLE}@media (prefers-color-scheme:dark){.link{color:${light}!important}.button{border-color:${light}!important}${
      onBase === '#fff' ? `.card{border-color:${light}!important}` : ''
    }}`,
  );
  const card = `max-width:600px;margin:0 auto;background:#ffffff;border-top:4px solid ${base};border-radius:10px`;
  // the subject, which programs show above, is the heading of a letter
  const tag = new Html(heading === null ? 'h1' : 'div');
  const brand = logo === null ? nameOf(organization) : logoOf(logo, organization, null);
  return html`<!doctype html>
<html lang="${language}" dir="${isRtl ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${subject}</title>
<style>${ownStyle}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f1f1ef;-webkit-text-size-adjust:100%">
<div style="${HIDDEN}" aria-hidden="true">${previewOf(content)}${FILLER}</div>
${table} class="page" style="background:#f1f1ef"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<main>
${table} class="card" style="${card}">
<tr><td class="pad" style="padding:26px 32px 0"><${tag} style="margin:0;font:600 16px/1.5 ${SANS}">${brand}</${tag}></td></tr>
<tr><td class="pad ink" style="${body}">
${heading !== null && html`<h1 class="ink" dir="auto" style="${title}">${heading}</h1>\n`}
${greeting !== undefined && paragraph(greeting)}
${parts.map((part) => partHtml(part, frame))}
${action !== undefined && actionHtml(action, frame)}
${notes.map((one) => html`<p class="soft" style="${note}">${linesOf(one)}</p>\n`)}
</td></tr></table>
</main>
<footer>
${table} style="max-width:600px;margin:0 auto"><tr><td class="pad soft" style="${footer}">
<strong><bdi>${organization}</bdi></strong><br>${closed(reason)}<br>${contactOf(frame.texts, organization, replyTo)}
</td></tr></table>
</footer>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

function partHtml(part: MailPart, frame: Frame): Html {
  if (typeof part === 'string') return paragraph(part);
  if ('letter' in part)
    return html`${part.letter
      .trim()
      .split(/\n{2,}/)
      .map((text) => letterParagraph(text, frame))}`;
  if ('facts' in part) return factsHtml(part.facts, part.title, frame);
  if ('list' in part)
    return html`<ul style="margin:0 0 14px;padding:0 24px">${part.list.map((item) => html`<li dir="auto">${item}</li>\n`)}</ul>\n`;
  if ('code' in part) return codeHtml(part.code, part.text);
  const bar = `margin:0 0 16px;padding:12px 16px;background:#f6f6f4;border-radius:8px`;
  return html`<p class="soft" style="margin:0 0 6px;font-size:14px;color:${SOFT}">${part.by}</p>
<blockquote class="quote" dir="auto" style="${bar}">${linesOf(part.quote)}</blockquote>\n`;
}

function paragraph(text: string): Html {
  return html`<p dir="auto" style="margin:0 0 14px">${linesOf(text)}</p>\n`;
}

function factsHtml(facts: readonly (readonly [string, string])[], title: string | undefined, { end }: Frame): Html {
  const table = 'margin:2px 0 18px;font-size:15px;line-height:1.45';
  const name = `padding:4px 0;padding-${end}:20px;color:${SOFT};vertical-align:top`;
  // a long value must not break the words of a label, unless one is longer than its column
  const whole = facts.every(([label]) => label.split(/\s+/).every((word) => word.length <= LONGEST_WORD));
  const rows = facts.map(
    ([label, value]) => html`<tr><td class="fact soft" style="${name}${whole && ';overflow-wrap:normal;word-break:normal'}">${label}</td>
<td class="fact value" dir="auto" style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere">${value}</td></tr>\n`,
  );
  return html`${title !== undefined && html`<p style="margin:0 0 6px"><strong>${title}</strong></p>\n`}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${table}">\n${rows}</table>\n`;
}

function codeHtml(code: string, text: string): Html {
  const [before, ...after] = text.split(code);
  const shown = html`<strong style="font-size:24px;letter-spacing:.1em;white-space:nowrap">${code}</strong>`;
  return html`<p style="margin:0 0 14px">${before}${shown}${after.join(code)}</p>\n`;
}

/** Outlook ignores the padding of a link, so that there the cell has it. */
function actionHtml({ url, label }: NonNullable<MailContent['action']>, { texts, colors: { base, onBase, deep } }: Frame): Html {
  const cell = `background:${base};border:1px solid ${deep};border-radius:9px;mso-padding-alt:13px 26px`;
  const link = `display:inline-block;padding:13px 26px;font:600 16px/1.3 ${SANS};color:${onBase};text-decoration:none`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:22px 0 14px"><tr>
<td class="button" align="center" bgcolor="${base}" style="${cell}"><a class="label" href="${url}" style="${link}">${label}</a></td>
</tr></table>
<p class="soft" style="margin:0;font-size:13px;line-height:1.5;color:${SOFT}">${texts.otherwise}<br>
<a class="link" href="${url}" dir="ltr" style="color:${deep};overflow-wrap:anywhere;word-break:break-all">${url}</a></p>\n`;
}

function letterParagraph(text: string, frame: Frame): Html {
  const lines = text.split('\n').map((line, index) => html`${index > 0 && BREAK}${linked(line, frame)}`);
  return html`<p dir="auto" style="margin:0 0 14px">${lines}</p>\n`;
}

/** Turns visible addresses into links, so that every link leads where its text says. */
function linked(line: string, { colors: { deep } }: Frame): Html[] {
  const parts: Html[] = [];
  let at = 0;
  for (const match of line.matchAll(ADDRESS)) {
    const url = match[0].replace(/[.,;:!?)\]}']+$/, '');
    parts.push(html`${line.slice(at, match.index)}<a class="link" href="${url}" style="color:${deep}">${url}</a>`);
    at = match.index + url.length;
  }
  return [...parts, html`${line.slice(at)}`];
}

function linesOf(text: string): Html[] {
  return text.split('\n').map((line, index) => html`${index > 0 && BREAK}${line}`);
}
