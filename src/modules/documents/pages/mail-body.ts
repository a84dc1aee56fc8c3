import { brandTone, html, type Html, type Mail } from '../../../kit/index.js';

/** The appearance of a mail: part of `Look`. */
interface MailLook {
  organization: string;
  language: string;
  brand: { color: string | null; logo: string | null };
  baseUrl: string;
  texts: { colon: string; mails: { footer(organization: string): string } };
}

/** A part of a mail: a paragraph, its subject, a quotation, or its link. */
export type MailPart =
  | string
  | { facts: readonly (readonly [label: string, value: string])[] }
  | { link: string; lead: string; button: string }
  | { small: string };

const INK = '#1f2328';
const SOFT = '#5b6068';
const ACCENT = '#3b3a72';
const SANS = `-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif`;

/**
 * The parts of a mail as plain text and as HTML. The HTML has no style sheet and one image, the logo, as mail readers allow
 * little else.
 */
export function mailBody(look: MailLook, subject: string, parts: readonly MailPart[]): Pick<Mail, 'subject' | 'text' | 'html'> {
  const oneLine = subject.replace(/\s+/g, ' ');
  return {
    subject: oneLine,
    text: `${parts.map((part) => textOf(part, look.texts.colon)).join('\n\n')}\n`,
    html: htmlOf(look, oneLine, parts),
  };
}

function textOf(part: MailPart, colon: string): string {
  if (typeof part === 'string') return part;
  if ('facts' in part) return part.facts.map(([label, value]) => `${label}${colon} ${value.replace(/\s+/g, ' ')}`).join('\n');
  return 'small' in part ? part.small : `${part.lead}\n${part.link}`;
}

function htmlOf({ organization, language, brand, baseUrl, texts }: MailLook, subject: string, parts: readonly MailPart[]): string {
  const color = brand.color ?? ACCENT;
  const name = html`<span style="font-size:15px;font-weight:600;color:${INK}">${organization}</span>`;
  const logo = html`<img src="${baseUrl}${brand.logo}" alt="${organization}" height="36" style="display:block;height:36px;border:0">`;
  const table = html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"`;
  const box = `max-width:560px;background:#ffffff;border-radius:12px;border-top:4px solid ${color};font:16px/1.55 ${SANS};color:${INK}`;
  const heading = `overflow-wrap:anywhere;margin:0 0 16px;font:600 22px/1.3 Georgia, 'Times New Roman', serif;color:${INK}`;
  const footer = `max-width:560px;margin:16px auto 0;font:13px/1.5 ${SANS};color:${SOFT}`;
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title></head>
<body style="margin:0;padding:0;background:#f3f3f1">
${table} style="background:#f3f3f1"><tr><td align="center" style="padding:24px 12px">
${table} style="${box}">
<tr><td style="padding:28px 24px 0">${brand.logo === null ? name : logo}</td></tr>
<tr><td style="padding:20px 24px 32px">
<h1 style="${heading}">${subject}</h1>
${parts.map((part) => htmlPart(part, color))}
</td></tr></table>
<p style="${footer}">${texts.mails.footer(organization)}</p>
</td></tr></table>
</body>
</html>
`.markup;
}

function htmlPart(part: MailPart, color: string): Html {
  if (typeof part === 'string')
    return html`<p style="margin:0 0 14px">${part.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`;
  if ('small' in part) return html`<p style="margin:20px 0 0;font-size:13px;line-height:1.5;color:${SOFT}">${part.small}</p>`;
  if ('facts' in part)
    return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 18px;font-size:15px">
${part.facts.map(
  ([label, value]) =>
    html`<tr><td style="padding:3px 18px 3px 0;color:${SOFT};vertical-align:top">${label}</td>
<td style="padding:3px 0;overflow-wrap:anywhere">${value}</td></tr>`,
)}</table>`;
  const { onColor } = brandTone(color);
  const style = `display:inline-block;padding:13px 26px;border-radius:10px;background:${color};color:${onColor};font-weight:600`;
  return html`<p style="margin:22px 0"><a href="${part.link}" style="${style};text-decoration:none">${part.button}</a></p>`;
}
