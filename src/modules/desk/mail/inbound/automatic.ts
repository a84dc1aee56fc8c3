import type { Headers, StructuredHeader } from 'mailparser';
import type { AutomaticReason } from './inbound-mail.js';

const SERVERS = /^(?:mailer-daemon|postmaster|mail-daemon)@/i;
/** What mail servers write as the subject of reports, for those that come from other addresses. */
const REPORT = new RegExp(
  `^(?:re: )?(?:${[
    ...['undeliver', 'returned mail', 'mail (?:delivery|system) (?:failed|failure|error)'],
    ...['delivery (?:status notification|failure|has failed)'],
    ...['failure notice', 'non[- ]?delivery', 'message (?:undeliverable|could not be delivered)', 'mail could not be delivered'],
    ...['unzustellbar', 'nicht zustellbar', 'zustellung fehlgeschlagen', 'недоставлен', 'сообщение не доставлено', '配信不能'],
  ].join('|')})`,
  'iu',
);
const BULK = /^(?:bulk|junk|list|auto_reply)\b/i;
/** For servers that name no header, such as old versions of Exchange; only at the very beginning, where people write "Re:". */
const AWAY = startingWith([
  ...['automatic reply', 'auto(?:matic)?[- ]?(?:reply|response|antwort)', 'out of (?:the )?office'],
  ...['abwesenheits(?:notiz|meldung)', 'automatische antwort', 'abwesend', 'réponse automatique', 'absence du bureau'],
  ...['respuesta automática', 'fuera de la oficina', 'risposta automatica', 'fuori sede', 'resposta automática'],
  ...['automatisch antwoord', 'afwezig', 'autosvar', 'automatisk svar', 'automaattinen vastaus', 'autoodpowiedź'],
  ...['автоответ', '自動返信', '自动回复'],
]);

/** What Lotus Notes writes after the name of the absent. */
const NOTES_AWAY = /\sis out of the office(?:\.|\s\(returning\b.{1,40}\))?\s*$/i;

function startingWith(phrases: readonly string[]): RegExp {
  return new RegExp(String.raw`^\s*(?:${phrases.join('|')})\s*[:：\-–]`, 'iu');
}

/**
 * Why a mail was not written by a person, by RFC 3834 and common practice; null if a person may have written it. Automatic replies to
 * such mails can cause a loop between two programs.
 */
export function automaticReason(headers: Headers, from: string | null, calendarMethods: readonly string[]): AutomaticReason | null {
  const type = contentTypeOf(headers);
  const report = type?.value === 'multipart/report' ? (type.params['report-type']?.toLowerCase() ?? 'delivery-status') : null;
  if (report === 'disposition-notification') return 'receipt';
  // a complaint or a statistic is no failed delivery
  if (report === 'feedback-report' || report === 'tlsrpt') return 'auto_submitted';
  if (report !== null || headers.has('x-failed-recipients') || (from !== null && SERVERS.test(from))) return 'bounce';
  if (hasEmptyReturnPath(headers) && texts(headers, 'subject').some((value) => REPORT.test(value.trim()))) return 'bounce';
  if (calendarMethods.some((method) => method === 'REPLY' || method === 'COUNTER')) return 'calendar_reply';
  if (isAway(headers)) return 'out_of_office';
  if (texts(headers, 'auto-submitted').some((value) => !/^\s*no\b/i.test(value))) return 'auto_submitted';
  if (headers.has('x-autoreply') || headers.has('x-autorespond') || headers.has('x-auto-reply')) return 'auto_submitted';
  if (hasEmptyReturnPath(headers)) return 'empty_return_path';
  if (headers.has('list') || texts(headers, 'precedence').some((value) => BULK.test(value.trim()))) return 'list';
  return null;
}

/** The type of a mail as a whole, in lower case. */
export function contentTypeOf(headers: Headers): StructuredHeader | undefined {
  const type = headers.get('content-type') as StructuredHeader | undefined;
  return type && { ...type, value: type.value.toLowerCase() };
}

/** Exchange's own header, which notifications of other programs also have. */
export function declinesAnswers(headers: Headers): boolean {
  return texts(headers, 'x-auto-response-suppress').some((value) => /\b(?:all|oof|autoreply)\b/i.test(value));
}

function isAway(headers: Headers): boolean {
  const submitted = texts(headers, 'auto-submitted').some((value) => /^\s*auto-replied\b/i.test(value));
  const isSaid = texts(headers, 'subject').some((value) => AWAY.test(value) || NOTES_AWAY.test(value));
  return submitted || headers.has('x-ms-exchange-inbox-rules-loop') || isSaid;
}

/** The server that delivered the mail writes the sender of its envelope here; reports have none. */
function hasEmptyReturnPath(headers: Headers): boolean {
  const path = [headers.get('return-path') ?? []].flat()[0] as { value?: { address?: string }[]; text?: string } | string | undefined;
  if (path === undefined) return false;
  return typeof path === 'string' ? path.replace(/[<>\s]/g, '') === '' : !path.value?.some(({ address }) => address);
}

function texts(headers: Headers, name: string): string[] {
  return [headers.get(name) ?? []].flat().filter((value): value is string => typeof value === 'string');
}
