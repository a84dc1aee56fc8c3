import { ConnectionError, TimeoutError, WorkSuiteError } from './errors.js';
import type { Operation } from './operation.js';
import type { CallOptions, ClientOptions } from './types.js';

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The suite's longest window. A longer Retry-After is left to the caller. */
const LONGEST_RETRY_AFTER_S = 60;
const RETRIED = [429, 502, 503, 504];

export interface Request {
  operation: Operation;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: BodyInit;
  /** A repeat has no further effect. */
  repeatable: boolean;
}

interface Answer {
  response: Response;
  /** Null for a file, which the caller reads. */
  text: string | null;
}

/** Sends requests, and repeats those that failed for a reason that passes. */
export class Connection {
  readonly baseUrl: string;

  constructor(private readonly options: ClientOptions) {
    if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError(`baseUrl must be the address of the suite: ${options.baseUrl}`);
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  async send(request: Request, given: CallOptions = {}): Promise<unknown> {
    const { operation } = request;
    const options = { ...this.options, ...given, headers: { ...this.options.headers, ...given.headers } };
    const { signal, maxRetries = MAX_RETRIES } = options;
    // an earlier attempt may have been executed
    let uncertain = false;
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      try {
        const answer = await this.attempt(request, options);
        options.onResponse?.(answer.response);
        return resultOf(answer, operation);
      } catch (error) {
        if (uncertain && operation.method === 'DELETE' && error instanceof WorkSuiteError && error.status === 404) return undefined;
        const delay = attempt < maxRetries ? delayBefore(error, attempt, request) : null;
        if (delay === null) throw error;
        uncertain ||= !(error instanceof WorkSuiteError && error.status === 429);
        await sleep(delay, signal);
      }
    }
  }

  private async attempt({ operation, target, headers, body }: Request, options: ClientOptions): Promise<Answer> {
    const { signal, timeoutMs = TIMEOUT_MS, key } = options;
    const late = new AbortController();
    // an infinite timer would end at once
    const timer = Number.isFinite(timeoutMs) ? setTimeout(() => late.abort(), timeoutMs) : undefined;
    const send = options.fetch ?? fetch;
    try {
      const response = await send(this.baseUrl + target, {
        method: operation.method,
        headers: { ...(key && { Authorization: `Bearer ${key}` }), ...options.headers, ...headers },
        body,
        // a redirected POST would become a GET
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      });
      return { response, text: response.ok && operation.file ? null : await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      if (late.signal.aborted) throw new TimeoutError(operation.id, `no complete response within ${timeoutMs} ms`, { cause });
      throw new ConnectionError(operation.id, reasonOf(cause), { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

function resultOf({ response, text }: Answer, { id }: Operation): unknown {
  if (response.ok && text === null) return response;
  if (response.ok && text === '') return undefined;
  const body = parse(text ?? '');
  if (body === undefined) throw foreign(response, id);
  if (response.ok) return body;
  const { error } = body as { error?: Record<string, unknown> };
  throw typeof error?.code === 'string' ? new WorkSuiteError(id, response.status, error, retryAfter(response)) : foreign(response, id);
}

/** An answer that is not the suite's, such as a proxy's. */
function foreign({ status, headers }: Response, id: string): ConnectionError {
  const location = headers.get('location');
  const redirected = location !== null || status === 0;
  const message = redirected
    ? `the address redirects${location === null ? '' : ` to ${location}`}; set baseUrl to where the suite is`
    : `the response of status ${status} is not one of the suite`;
  return new ConnectionError(id, message, undefined, status);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Null: the attempt is not repeated. */
function delayBefore(error: unknown, attempt: number, { operation, repeatable, headers }: Request): number | null {
  if (!repeatable) return null;
  const refused = error instanceof WorkSuiteError;
  if (!refused && !(error instanceof ConnectionError)) return null;
  const passes = RETRIED.includes(error.status ?? 0) || (refused ? error.code === 'idempotency_in_progress' : error.status === undefined);
  if (!passes) return null;
  // after an attempt that may have been executed, the version is no longer the one that was read
  if (headers['If-Match'] && !operation.key && error.status !== 429) return null;
  const after = refused ? error.retryAfter : undefined;
  if (after !== undefined && after > LONGEST_RETRY_AFTER_S) return null;
  // at random, so that clients that failed together do not return together
  if (after !== undefined) return after * 1000 * (1 + Math.random() / 10);
  return Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS) * (0.5 + Math.random() / 2);
}

/** In seconds; the header is a number or a date. */
function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Node says `fetch failed`, and the reason in the cause. */
function reasonOf(cause: unknown): string {
  const inner = (cause as { cause?: { message?: string; code?: string } }).cause;
  return inner?.message || inner?.code || String((cause as Error).message ?? cause);
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
