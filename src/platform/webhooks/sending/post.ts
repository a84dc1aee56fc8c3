import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { withoutContinue } from './informational-responses.js';
import { ForbiddenTarget } from './target-rules.js';
import type { TargetNames } from './target-names.js';

/** How one attempt ended. */
export interface PostResult {
  startedAt: Date;
  latencyMs: number;
  /** Null when there was no answer. */
  status: number | null;
  headers: Record<string, string | string[]> | null;
  /** The first bytes of the answer's body. */
  body: string | null;
  /** Why it is no success; null for a 2xx. */
  error: string | null;
}

/** So much of an answer's body is read and kept. */
export const RESPONSE_BYTES = 16 * 1024;
const KEEP_ALIVE_MS = 4_000;
const LONGEST_REASON = 300;

/** Sends signed bodies. Connections are made to vetted addresses only, are kept for the next delivery, and follow no redirect. */
export class Poster {
  private agent: Promise<Agent> | undefined;

  constructor(
    private readonly names: TargetNames,
    private readonly timeoutMs: number,
  ) {}

  async post(url: URL, headers: Record<string, string>, body: string): Promise<PostResult> {
    const startedAt = new Date();
    const since = performance.now();
    const answer = new Answer();
    const timer = setTimeout(() => answer.fail(`timed out: the answer was not complete after ${this.timeoutMs / 1000} s`), this.timeoutMs);
    try {
      // also where a kept connection will serve: the name may lead somewhere else by now
      await Promise.race([this.names.addressesOf(url.hostname), answer.done]);
      const agent = await (this.agent ??= makeAgent(this.names, this.timeoutMs)).catch((error: unknown) => {
        // the next delivery tries again
        this.agent = undefined;
        throw error;
      });
      if (!answer.over) {
        agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body }, answer);
        await answer.done;
      }
    } catch (error) {
      answer.fail(reasonOf(error as Error));
    } finally {
      clearTimeout(timer);
    }
    return { startedAt, latencyMs: Math.round(performance.now() - since), ...answer.result() };
  }

  async close(): Promise<void> {
    await (await this.agent)?.destroy();
  }
}

/** undici takes a tenth of a start to load, and many processes never deliver. */
async function makeAgent(names: TargetNames, timeoutMs: number): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  // the one place where a connection gets its address: what is vetted here is what is connected to
  const lookup: LookupFunction = (hostname, options, callback) => {
    names.addressesOf(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) callback(null, found);
        else callback(null, found[0].address, found[0].family);
      },
      (error: Error) => callback(error, ''),
    );
  };
  const connect = buildConnector({ lookup, timeout: timeoutMs, autoSelectFamily: true });
  return new Agent({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => (error ? callback(error, null) : callback(null, withoutContinue(socket)))),
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
  });
}

/** Collects an answer, and lets go of it as soon as nothing more is wanted. */
class Answer implements Dispatcher.DispatchHandler {
  readonly done: Promise<void>;
  over = false;
  private finish: () => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | null = null;
  private headers: PostResult['headers'] = null;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private error: string | null = null;

  constructor() {
    this.done = new Promise((resolve) => (this.finish = resolve));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) controller.abort(new Error('given up'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx answers only announce the one that counts
    if (status < 200) return;
    this.status = status;
    this.headers = headers as PostResult['headers'];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.chunks.push(chunk.subarray(0, RESPONSE_BYTES - this.bytes));
    this.bytes += chunk.length;
    // the rest of a long answer is of no use, so the connection goes with it
    if (this.bytes >= RESPONSE_BYTES) {
      this.end();
      controller.abort(new Error('read enough'));
    }
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(reasonOf(error));
  }

  fail(reason: string): void {
    if (this.over) return;
    this.error = reason;
    this.end();
    this.controller?.abort(new Error(reason));
  }

  result(): Pick<PostResult, 'status' | 'headers' | 'body' | 'error'> {
    const { status, headers } = this;
    // PostgreSQL takes no NUL in a text
    const body = status === null ? null : Buffer.concat(this.chunks).toString('utf8').replaceAll('\0', '\uFFFD');
    return { status, headers, body, error: this.error ?? refusalOf(status) };
  }

  private end(): void {
    this.over = true;
    this.finish();
  }
}

function refusalOf(status: number | null): string | null {
  if (status === null) return 'no answer';
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}

function reasonOf(error: Error): string {
  if (error instanceof ForbiddenTarget) return `forbidden target: ${error.message}`;
  const { code, message } = error as NodeJS.ErrnoException;
  return (message || code || error.name).slice(0, LONGEST_REASON);
}
