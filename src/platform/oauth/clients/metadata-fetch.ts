import type { Agent } from 'undici';
import { Lazy } from '../../../kit/index.js';
import { guardedLookup } from '../../net/guarded-lookup.js';
import { TargetNames } from '../../net/target-names.js';
import type { TargetRules } from '../../net/target-rules.js';
import { acceptableDocument } from './client-metadata.js';
import { objectIn } from './json.js';

const LARGEST_DOCUMENT = 16 * 1024;
const TIMEOUT_MS = 2_500;

/** The part of a response that the OAuth library reads. */
export type Fetch = (url: string, options: { headers?: Headers | Record<string, string>; signal?: AbortSignal }) => Promise<Response>;

interface Document {
  status: number;
  /** The headers that matter for caching. */
  kept: [string, string][];
  text: string;
}

/**
 * Reads the documents to which clients refer: metadata and keys. The library has a check of addresses of its own, after connecting and
 * only if its setup succeeds; this one never connects to an address that is not public, and does not follow redirects.
 */
export class MetadataFetch {
  private readonly agent = new Lazy<Agent>(async () => {
    const { Agent } = await import('undici');
    return new Agent({ connect: { lookup: guardedLookup(this.names), timeout: TIMEOUT_MS, autoSelectFamily: true } });
  });
  private readonly names: TargetNames;

  constructor(
    private readonly rules: TargetRules,
    names?: TargetNames,
  ) {
    this.names = names ?? new TargetNames(rules);
  }

  readonly fetch: Fetch = async (address, { headers, signal }) => {
    const within = AbortSignal.timeout(TIMEOUT_MS);
    const { status, kept, text } = await this.read(address, {
      headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'Svc-OAuth/1.0' },
      signal: signal ? AbortSignal.any([signal, within]) : within,
    });
    return new Response(status === 200 ? normalized(address, text) : null, { status, headers: kept });
  };

  /** Reads a document from a checked address. */
  protected async read(address: string, options: { headers: Record<string, string>; signal: AbortSignal }): Promise<Document> {
    const url = this.rules.checkUrl(address);
    // a literal address is not looked up, so it would not be checked on connecting
    await this.names.addressesOf(url.hostname);
    const { fetch } = await import('undici');
    const response = await fetch(url, { ...options, method: 'GET', redirect: 'manual', dispatcher: await this.agent.get() });
    const text = await bounded(response.body as ReadableStream<Uint8Array> | null);
    const kept = ['cache-control', 'expires', 'content-type'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    return { status: response.status, kept, text };
  }

  async close(): Promise<void> {
    await (await this.agent.ifLoaded())?.destroy();
  }
}

/** Documents that name themselves as a client are reduced to what is supported, like registrations; others are keys. */
function normalized(address: string, text: string): string {
  const given = objectIn(text);
  return given?.client_id === address ? JSON.stringify(acceptableDocument(given)) : text;
}

async function bounded(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_DOCUMENT) throw new Error(`the document exceeds ${LARGEST_DOCUMENT} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
