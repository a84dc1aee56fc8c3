import { html, page, type FileResponse, type FormProblem } from '../../kit/index.js';
import { SUITE_BRAND } from '../../kit/internal.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import type { ProductResponse } from './product-calls.js';

/** Why a form was not accepted, for the page that shows it again. */
export interface Failure {
  status: number;
  headers: Record<string, string>;
  problems: readonly FormProblem[];
}

/** Problems with the named fields link to them; their ids are the names of the operation's parameters. */
export function failureOf(response: ProductResponse<unknown>, fields: readonly string[]): Failure {
  const { status, error } = response;
  const found = error?.details ?? [{ param: error?.param ?? '', message: messageOf(response) }];
  const problems = found.map(({ param, message }) => ({ field: fields.includes(param) ? param : null, text: sentence(message) }));
  return { status, headers: retryAfter(response), problems };
}

/** The text beside a field; undefined if it has no problem. */
export function problemOf(field: string, { problems = [] }: Partial<Failure>): string | undefined {
  return problems.find((problem) => problem.field === field)?.text;
}

/** A page that could not be shown, because of too many calls or an outage. */
export function failedPage(response: ProductResponse<unknown>): FileResponse {
  return page({
    isConsole: true,
    title: 'Please try again later',
    host: null,
    status: response.status,
    headers: retryAfter(response),
    body: html`${SUITE_BRAND}<section class="card"><h1>Please try again later</h1><p>${sentence(messageOf(response))}</p>
<p>Then load this page again.</p></section><p><a href="${CONSOLE_PATHS.signIn}">Go to sign-in</a></p>`,
  });
}

/** The error in plain words: how long to wait instead of the name of a header. */
export function messageOf({ status, error, headers }: ProductResponse<unknown>): string {
  if (error === undefined) return 'Something went wrong.';
  const after = headers['retry-after'];
  if (status === 429 && after !== undefined) return `${error.message.split(';', 1)[0]}. ${waitText(Number(after))}`;
  // operators find the failure in the server's log by the id
  return status < 500 ? error.message : `${error.message} (Reference: ${error.request_id})`;
}

/** Long waits are rounded up to minutes. */
export function waitText(seconds: number): string {
  const [count, unit] = seconds > 120 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second'];
  return `Wait ${count} ${unit}${count === 1 ? '' : 's'}.`;
}

/** Messages about a parameter begin with its name, which is lower-case, such as `current_password`. */
export function sentence(message: string): string {
  const words = message.replace(/^[a-z]+(_[a-z]+)+/, (name) => name.replaceAll('_', ' '));
  return inWords(words.charAt(0).toUpperCase() + words.slice(1));
}

/** Plain words for rules of the API. */
const IN_WORDS: readonly (readonly [rule: RegExp, words: string])[] = [
  [/must be an RFC 3339 time with an offset, for example .*/, 'must be a day, or a day with a time, such as 2026-11-21T09:30'],
  [/must be a calendar date as YYYY-MM-DD/, 'must be a day such as 2026-11-21'],
  [/must be a UUID/, 'must be a whole id'],
  [/must match \^.*/, 'has a form that is not accepted'],
  [/must contain only items that are /, 'must be '],
  [/must contain at least 1 item\b/, 'must not be empty'],
];

/** A message of the API, or the part after the name that it begins with. */
export function inWords(message: string): string {
  return IN_WORDS.reduce((text, [rule, words]) => text.replace(rule, words), message);
}

/** The time to wait, for the page's own response. */
export function retryAfter({ headers }: ProductResponse<unknown>): Record<string, string> {
  const after = headers['retry-after'];
  return after === undefined ? {} : { 'Retry-After': String(after) };
}
