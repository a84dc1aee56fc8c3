import type { OnApplicationShutdown } from '@nestjs/common';
import type { Agent, Response } from 'undici';
import { invalid, Lazy, type Downloads, type DownloadOptions } from '../../kit/index.js';
import { guardedLookup } from './guarded-lookup.js';
import { reasonOf } from './failure-reasons.js';
import { TargetNames } from './target-names.js';
import { ForbiddenTarget, type TargetRules } from './target-rules.js';
import { within } from './within.js';

const TIMEOUT_MS = 20_000;
const MOST_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

/** What the caller can mend, as the end of a sentence that begins with the name of the field. */
class DownloadFault extends Error {}

/** Connects to checked addresses only. Each redirect is checked like the first address. */
export class GuardedDownloads implements Downloads, OnApplicationShutdown {
  private readonly agent = new Lazy<Agent>(async () => {
    const { Agent } = await import('undici');
    return new Agent({ connect: { lookup: guardedLookup(this.names), autoSelectFamily: true }, pipelining: 0 });
  });
  private readonly names: TargetNames;

  constructor(
    private readonly rules: TargetRules,
    names?: TargetNames,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.names = names ?? new TargetNames(rules);
  }

  async get(url: string, options: DownloadOptions): Promise<Buffer> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      return await within(signal, this.follow(url, options, signal));
    } catch (error) {
      if (signal.aborted) throw invalid(options.param, `was not downloaded within ${this.timeoutMs / 1000} s`);
      throw invalid(options.param, faultOf(error as Error));
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.agent.ifLoaded())?.destroy();
  }

  private async follow(url: string, { most, accept = '*/*' }: DownloadOptions, signal: AbortSignal): Promise<Buffer> {
    const { fetch } = await import('undici');
    let address = this.rules.checkUrl(url);
    for (let redirects = 0; ; redirects++) {
      // a literal address is not looked up, so it would not be checked on connecting
      await this.names.addressesOf(address.hostname);
      const headers = { accept, 'user-agent': 'Svc-Downloads/1.0' };
      const response = await fetch(address, { headers, redirect: 'manual', signal, dispatcher: await this.agent.get() });
      if (response.status === 200) return bodyOf(response, most);
      await response.body?.cancel();
      const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
      if (location === null) throw new DownloadFault(`answered ${response.status}`);
      if (redirects === MOST_REDIRECTS) throw new DownloadFault(`redirects more than ${MOST_REDIRECTS} times`);
      if (!URL.canParse(location, address.href)) throw new DownloadFault('redirects to a malformed address');
      const next = this.rules.checkUrl(new URL(location, address).href);
      if (address.protocol === 'https:' && next.protocol !== 'https:') throw new DownloadFault('redirects from https:// to http://');
      address = next;
    }
  }
}

/** Counts the bytes after decompression. */
async function bodyOf(response: Response, most: number): Promise<Buffer> {
  const tooLarge = new DownloadFault(`has more than ${most / 2 ** 20} MiB`);
  if (Number(response.headers.get('content-length')) > most) {
    await response.body?.cancel();
    throw tooLarge;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    // leaving the loop cancels the body
    if (size > most) throw tooLarge;
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

function faultOf(error: Error): string {
  if (error instanceof DownloadFault) return error.message;
  if (error instanceof ForbiddenTarget) return `is not allowed: ${error.message.replace(/^url /, '')}`;
  // fetch wraps what undici reports
  return `could not be downloaded: ${reasonOf((error.cause as Error | undefined) ?? error)}`;
}
