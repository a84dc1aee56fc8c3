import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SecretBox } from '../config/secret-box.js';
import { BatchWriter } from '../persistence/batches/batch-writer.js';
import { poolOf } from '../persistence/database/pool.js';

const DELAY_MS = 250;
const ROWS_PER_INSERT = 200;
const CAPACITY_BYTES = 16 * 1024 * 1024;
/** The most bytes that are kept of each body, after masking. */
const MOST_KEPT = 16 * 1024;
/** Days for which bodies are kept. */
export const KEPT_DAYS = 7;

/** One body as JSON without private content; `truncated` if it was longer than what is kept. */
interface KeptBody {
  text: string;
  truncated: boolean;
}

export interface KeptBodiesOfRequest {
  request: KeptBody | null;
  response: KeptBody | null;
}

interface Row {
  request_id: string;
  organization_id: string;
  content: Buffer;
  at: Date;
}

const INSERT = `
  INSERT INTO request_bodies (request_id, organization_id, content, created_at)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::bytea[], $4::timestamptz[]) ON CONFLICT (request_id) DO NOTHING`;

/** Stores masked bodies of requests, encrypted. Bodies are lost if the database cannot take them in time: the log is not evidence. */
@Injectable()
export class KeptBodies implements OnApplicationShutdown {
  private readonly rows: BatchWriter<Row>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {
    this.rows = new BatchWriter<Row>({
      items: 'kept bodies of requests',
      write: (batch) => this.insert(batch),
      maxBatch: ROWS_PER_INSERT,
      delayMs: DELAY_MS,
      capacity: CAPACITY_BYTES,
      sizeOf: ({ content }) => content.length,
    });
  }

  /** `request` and `response` are masked JSON values; undefined if there is none. */
  keep(requestId: string, organizationId: string, { request, response }: { request: unknown; response: unknown }): void {
    const bodies: KeptBodiesOfRequest = { request: bounded(request), response: bounded(response) };
    if (!bodies.request && !bodies.response) return;
    const content = this.box.seal(JSON.stringify(bodies), requestId);
    this.rows.add({ request_id: requestId, organization_id: organizationId, content, at: new Date() });
  }

  async read(requestId: string, organizationId: string): Promise<KeptBodiesOfRequest | null> {
    const { rows } = await poolOf(this.dataSource).query<Pick<Row, 'content'>>(
      `SELECT content FROM request_bodies WHERE request_id = $1 AND organization_id = $2 AND created_at > now() - $3 * interval '1 day'`,
      [requestId, organizationId, KEPT_DAYS],
    );
    return rows.length > 0 ? (JSON.parse(this.box.open(rows[0].content, requestId)) as KeptBodiesOfRequest) : null;
  }

  flush(): Promise<void> {
    return this.rows.flush();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rows.close();
  }

  private insert(batch: readonly Row[]): Promise<unknown> {
    return poolOf(this.dataSource).query({
      name: 'insert_request_bodies',
      text: INSERT,
      values: [
        batch.map(({ request_id }) => request_id),
        batch.map(({ organization_id }) => organization_id),
        batch.map(({ content }) => content),
        batch.map(({ at }) => at),
      ],
    });
  }
}

function bounded(body: unknown): KeptBody | null {
  if (body === undefined) return null;
  const text = JSON.stringify(body, null, 2);
  if (Buffer.byteLength(text) <= MOST_KEPT) return { text, truncated: false };
  // a character that was cut in two becomes a replacement character
  return {
    text: Buffer.from(text)
      .subarray(0, MOST_KEPT)
      .toString()
      .replace(/\ufffd$/, ''),
    truncated: true,
  };
}
