import { CommonErrors, DomainError } from '../../kit/index.js';
import type { KeyAuthenticator } from '../keys/key-authenticator.js';
import type { KeyRecord } from '../keys/key-record.js';
import type { KeyChanges } from '../key-changes/key-changes.js';
import type { OpenStream, StreamKey } from './open-stream.js';

const MOST_PER_KEY = 5;
const MOST_PER_ORGANIZATION = 50;

/** The open streams of one kind in this process. */
export class OpenStreams<S extends OpenStream> {
  private readonly streams = new Set<S>();
  private closed = false;

  /** `atMcp`: whether access tokens of MCP clients count as keys. */
  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly changes: KeyChanges,
    private readonly atMcp: boolean,
  ) {}

  get isEmpty(): boolean {
    return this.streams.size === 0;
  }

  /** Throws if the key can have no further stream. */
  requireRoom({ id, organizationId }: StreamKey): void {
    if (this.closed) throw CommonErrors.unavailable({ message: 'This process is shutting down.' });
    const open = [...this.streams].filter(({ hasEnded }) => !hasEnded);
    const ofKey = open.filter(({ key }) => key.id === id).length;
    const ofOrganization = open.filter(({ key }) => key.organizationId === organizationId).length;
    if (ofKey < MOST_PER_KEY && ofOrganization < MOST_PER_ORGANIZATION) return;
    const whose = ofKey >= MOST_PER_KEY ? `${ofKey} streams of this key` : `${ofOrganization} streams of this organization`;
    throw CommonErrors.rateLimited({ message: `${whose} are open; close one of them.`, headers: { 'Retry-After': '5' } });
  }

  add(stream: S): void {
    this.streams.add(stream);
    stream.readable.once('close', () => this.streams.delete(stream));
  }

  /**
   * Those whose keys may still read them, as if a call of each arrived now; the streams of others end. `check` throws if a valid key
   * may not read its stream any more.
   */
  async allowed(check: (stream: S, key: KeyRecord) => void | Promise<void>): Promise<S[]> {
    const allowed: S[] = [];
    for (const stream of this.streams) {
      try {
        await check(stream, await this.keyOf(stream));
        allowed.push(stream);
      } catch (error) {
        // without the database, a key is neither good nor bad
        if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
        stream.end({ code: error.spec.code, message: error.message });
        this.streams.delete(stream);
      }
    }
    return allowed;
  }

  beat(): void {
    for (const stream of this.streams) stream.beat();
  }

  /** To be called before the server waits for its requests to end. */
  close(): void {
    this.closed = true;
    for (const stream of this.streams) stream.end({ code: 'unavailable', message: 'This process is shutting down; connect again.' });
    this.streams.clear();
  }

  private async keyOf({ key: { authorization, address } }: S): Promise<KeyRecord> {
    const found = await this.keys.authenticate(authorization, address, { atMcp: this.atMcp });
    await found.confirm(this.changes.lastOf(found.record.subjects));
    return found.record;
  }
}
