import type { Agent, Dispatcher } from 'undici';
import { Lazy } from '../../../kit/index.js';
import { guardedLookup } from '../../net/guarded-lookup.js';
import { withoutContinue } from './informational-responses.js';
import { reasonOf, refusalOf } from '../../net/failure-reasons.js';
import { RESPONSE_BYTES, textOf } from './response-text.js';
import type { TargetNames } from '../../net/target-names.js';

/** The outcome of one attempt. */
export interface PostResult {
  startedAt: Date;
  latencyMs: number;
  /** Null if there was no response. */
  status: number | null;
  headers: Record<string, string | string[]> | null;
  /** The first bytes of the response body. */
  body: string | null;
  /** Why the attempt failed; null for a 2xx. */
  error: string | null;
}

const KEEP_ALIVE_MS = 4_000;

/** Sends signed bodies. It connects only to checked addresses, reuses connections, and does not follow redirects. */
export class Poster {
  private readonly agent = new Lazy<Agent>(() => makeAgent(this.names, this.timeoutMs));

  constructor(
    private readonly names: TargetNames,
    private readonly timeoutMs: number,
  ) {}

  async post(url: URL, headers: Record<string, string>, body: string): Promise<PostResult> {
    const startedAt = new Date();
    const since = performance.now();
    const answer = new ResponseCollector();
    const timer = setTimeout(
      () => answer.fail(`timed out: the response was not complete after ${this.timeoutMs / 1000} s`),
      this.timeoutMs,
    );
    try {
      // also if an open connection is reused: the name may resolve to other addresses by now
      await Promise.race([this.names.addressesOf(url.hostname), answer.done]);
      const agent = await this.agent.get();
      if (!answer.over) {
        agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body }, answer);
        await answer.done;
      }
    } catch (error) {
      answer.fail(reasonOf(error as Error));
    } finally {
      clearTimeout(timer);
    }
    const latencyMs = Math.round(performance.now() - since);
    return { startedAt, latencyMs, ...(await answer.result()) };
  }

  async close(): Promise<void> {
    await (await this.agent.ifLoaded())?.destroy();
  }
}

/** Loaded at the first delivery: it takes a tenth of the boot time, and many processes never deliver. */
async function makeAgent(names: TargetNames, timeoutMs: number): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const connect = buildConnector({ lookup: guardedLookup(names), timeout: timeoutMs, autoSelectFamily: true });
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

/** Collects a response, and closes it as soon as it has the needed part. */
class ResponseCollector implements Dispatcher.DispatchHandler {
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
    if (this.over) controller.abort(new Error('canceled'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx responses precede the final one
    if (status < 200) return;
    this.status = status;
    this.headers = headers as PostResult['headers'];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.chunks.push(chunk.subarray(0, RESPONSE_BYTES - this.bytes));
    this.bytes += chunk.length;
    // the rest of a long body is not needed, so the connection is closed
    if (this.bytes >= RESPONSE_BYTES) {
      this.end();
      controller.abort(new Error('body limit reached'));
    }
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(reasonOf(error, this.status !== null));
  }

  fail(reason: string): void {
    if (this.over) return;
    this.error = reason;
    this.end();
    this.controller?.abort(new Error(reason));
  }

  async result(): Promise<Pick<PostResult, 'status' | 'headers' | 'body' | 'error'>> {
    const { status, headers } = this;
    const body =
      status === null ? null : await textOf(Buffer.concat(this.chunks), headers?.['content-encoding'], headers?.['content-type']);
    return { status, headers, body, error: this.error ?? refusalOf(status) };
  }

  private end(): void {
    this.over = true;
    this.finish();
  }
}
