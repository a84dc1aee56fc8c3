import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CommonErrors } from '../../kit/index.js';
import { lacksScope, outsideOfWork } from '../../kit/internal.js';
import { OutboxSignal } from '../events/outbox-signal.js';
import { SettledEvents } from '../events/settled-events.js';
import { KeyAuthenticator } from '../keys/key-authenticator.js';
import { KeyChanges } from '../key-changes/key-changes.js';
import { poolOf } from '../persistence/database/pool.js';
import { subscribesTo } from '../webhooks/endpoints/event-catalog.js';
import { EventStream, type StreamFilter } from './event-stream.js';
import type { StreamKey } from './open-stream.js';
import { OpenStreams } from './open-streams.js';
import { LAST_SETTLED, MOST_PER_READ, NEXT_EVENTS, type NextEvent } from './stream-sql.js';

const STREAM_SCOPE = 'developer:event:read';
/** The events of other processes, and the keys, are looked at in this interval. */
const POLL_MS = 1_000;
/** For a second after this process has recorded events, whose transactions and those beside them may just be ending. */
const LIVELY_MS = 1_000;
const LIVELY_POLL_MS = 50;

/** Streams at the same sequence of the same organization and mode. */
interface Place {
  streams: EventStream[];
  types: string;
}

/** Sends events to the open streams of this process. One statement reads for all of them. */
@Injectable()
export class EventStreams implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger('EventStreams');
  private readonly streams: OpenStreams<EventStream>;
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private livelyUntil = 0;
  private running = false;
  private failing = false;
  private closed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settled: SettledEvents,
    private readonly signal: OutboxSignal,
    keys: KeyAuthenticator,
    changes: KeyChanges,
  ) {
    this.streams = new OpenStreams(keys, changes, false);
  }

  onModuleInit(): void {
    this.signal.subscribe(() => this.wake());
  }

  /** Before the server waits for its requests to end. */
  onModuleDestroy(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.streams.close();
  }

  /** `after`: the sequence of the last event that the client has; undefined for events from now on. */
  async open(key: StreamKey, filter: StreamFilter, after: number | undefined): Promise<EventStream> {
    this.streams.requireRoom(key);
    const start = after ?? (await this.lastSettled(filter));
    // others may have been opened meanwhile
    this.streams.requireRoom(key);
    const stream = new EventStream(key, filter, start, () => this.wake());
    this.streams.add(stream);
    this.wake();
    return stream;
  }

  private async lastSettled({ organizationId, mode }: StreamFilter): Promise<number> {
    const { rows } = await poolOf(this.dataSource).query<{ sequence: number }>(LAST_SETTLED, [
      organizationId,
      mode,
      await this.settled.before(),
    ]);
    return rows[0]?.sequence ?? 0;
  }

  private wake(): void {
    if (this.streams.isEmpty) return;
    this.livelyUntil = performance.now() + LIVELY_MS;
    this.schedule(LIVELY_POLL_MS / 5);
  }

  private schedule(ms: number): void {
    const at = performance.now() + ms;
    if (this.closed || this.running || this.dueAt <= at) return;
    clearTimeout(this.timer);
    this.dueAt = at;
    // it serves all streams, not the request that opened one
    this.timer = outsideOfWork(() => setTimeout(() => void this.run(), ms).unref());
  }

  private async run(): Promise<void> {
    this.dueAt = Infinity;
    this.running = true;
    let more = false;
    try {
      more = await this.read(await this.allowedStreams());
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.log.warn(`Events cannot be read; the streams wait: ${(error as Error).message}`);
      this.failing = true;
    }
    this.streams.beat();
    this.running = false;
    if (this.streams.isEmpty) return;
    this.schedule(more ? 0 : performance.now() < this.livelyUntil ? LIVELY_POLL_MS : POLL_MS);
  }

  /** Those that can take events, and whose keys may still read them. */
  private async allowedStreams(): Promise<EventStream[]> {
    const allowed = await this.streams.allowed(({ filter }, { scopes, withheld, projectId }) => {
      const permission = withheld.get(STREAM_SCOPE);
      if (permission !== undefined)
        throw CommonErrors.permissionDenied({ message: `The member to whom this API key is bound lacks the permission ${permission}.` });
      if (!scopes.has(STREAM_SCOPE)) throw lacksScope(STREAM_SCOPE);
      if (projectId !== filter.pin) throw CommonErrors.projectScopeMismatch({ message: 'The project of the key has changed.' });
    });
    return allowed.filter(({ isFull, hasEnded }) => !isFull && !hasEnded);
  }

  /** Resolves to whether more events wait. */
  private async read(streams: readonly EventStream[]): Promise<boolean> {
    if (streams.length === 0) return false;
    const places = placesOf(streams);
    const heads = places.map(({ streams: [{ filter, after }], types }) => ({ ...filter, after, types }));
    const { rows } = await poolOf(this.dataSource).query<NextEvent>({
      name: 'developer_next_events',
      text: NEXT_EVENTS,
      values: [
        heads.map((_, n) => n),
        heads.map(({ organizationId }) => organizationId),
        heads.map(({ mode }) => mode),
        heads.map(({ after }) => after),
        heads.map(({ types }) => types),
        await this.settled.before(),
      ],
    });
    const counts = new Map<number, number>();
    for (const { n, sequence, project_id, type, body } of rows) {
      counts.set(n, (counts.get(n) ?? 0) + 1);
      for (const stream of places[n].streams) {
        if (body !== null && subscribesTo(stream.filter.types ?? ['*'], type)) stream.send(sequence, project_id, body);
        stream.after = sequence;
      }
    }
    return [...counts.values()].includes(MOST_PER_READ);
  }
}

/** Streams that wait for new events are at the same place, so each event is read once for all of them. */
function placesOf(streams: readonly EventStream[]): Place[] {
  const places = new Map<string, Place>();
  for (const stream of streams) {
    const { filter, after } = stream;
    const id = `${filter.organizationId} ${filter.mode} ${after}`;
    const place = places.get(id) ?? { streams: [], types: '' };
    place.streams.push(stream);
    place.types = [place.types, ...(filter.types ?? ['*'])].filter(Boolean).join(',');
    places.set(id, place);
  }
  return [...places.values()];
}
