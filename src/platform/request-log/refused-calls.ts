import { createHash } from 'node:crypto';
import { CommonErrors, MINUTE_MS } from '../../kit/index.js';
import { limitKeyOf } from '../net/address.js';
import { BatchWriter } from '../persistence/batches/batch-writer.js';
import type { RequestLogEntry } from './request-log-entry.js';

const FIRST_DELAY_MS = 250;
/** An update of a count is a new version of its row, so counts that grow are written rarely. */
const DELAY_MS = 10_000;
const ROWS_PER_INSERT = 500;
/** A caller can use any number of addresses. Callers with further ones are counted together. */
const MOST_ADDRESSES = 100;
/** Of a key: the name of a tool is any text that a caller sends. Calls of further ones are counted together, without the name. */
const MOST_TOOLS = 20;
/** The address of a row that counts calls from many. */
const SEVERAL_ADDRESSES = 'several';

const UNCHARGED: ReadonlySet<string> = new Set(
  [
    CommonErrors.rateLimited,
    CommonErrors.apiKeyRevoked,
    CommonErrors.apiKeyExpired,
    CommonErrors.apiKeyInactive,
    CommonErrors.ipNotAllowed,
    CommonErrors.csrfTokenInvalid,
  ].map(({ spec }) => spec.code),
);

export interface Row extends Omit<RequestLogEntry, 'time'> {
  /** Milliseconds since 1970: a Date property makes JSON.stringify three times as slow. */
  time: number;
}

export interface CountedRow extends Row {
  id: string;
  calls: number;
}

/** Whether a call was refused before it was charged to a limit: nothing bounds how many of them there are. */
export function isUncharged({ organization_id, code }: Pick<RequestLogEntry, 'organization_id' | 'code'>): boolean {
  return organization_id === null || (code !== null && UNCHARGED.has(code));
}

/**
 * Counts refused calls by minute, caller, address and code, dry runs apart, in one row that describes the first of them: stored one by one,
 * callers who need no valid key could fill the disk. Calls over the limit of a key are counted together, whatever their addresses, but each
 * tool apart. Processes count into the same row. After a lost response of the database a count may be too high.
 */
export class RefusedCalls {
  private readonly rows: BatchWriter<CountedRow>;
  /** The rows that wait to be written, by their id. */
  private readonly waiting = new Map<string, CountedRow>();
  private minute = 0;
  private readonly known = new Set<string>();
  private addresses = 0;
  /** By key. */
  private readonly tools = new Map<string | null, Set<string>>();
  private soon: NodeJS.Timeout | undefined;

  constructor(write: (batch: readonly CountedRow[]) => Promise<void>) {
    this.rows = new BatchWriter<CountedRow>({
      items: 'counted rows of the request log',
      write: (batch) => {
        // a row that is being written cannot count further calls
        for (const row of batch) if (this.waiting.get(row.id) === row) this.waiting.delete(row.id);
        return write(merged(batch));
      },
      maxBatch: ROWS_PER_INSERT,
      delayMs: DELAY_MS,
      capacity: 10_000,
    });
  }

  count(row: Row): void {
    const id = this.idOf(row);
    const known = this.waiting.get(id);
    if (known) return void known.calls++;
    const counted = { ...row, id, calls: 1 };
    this.waiting.set(id, counted);
    this.rows.add(counted);
    if (this.known.has(id)) return;
    this.known.add(id);
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      void this.rows.flush();
    }, FIRST_DELAY_MS).unref();
  }

  flush(): Promise<void> {
    return this.rows.flush();
  }

  close(): Promise<void> {
    clearTimeout(this.soon);
    return this.rows.close();
  }

  /** The same in every process. Decides which address the row has. */
  private idOf(row: Row): string {
    const minute = Math.floor(row.time / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.known.clear();
      this.addresses = 0;
      this.tools.clear();
    }
    if (row.organization_id !== null && row.code === CommonErrors.rateLimited.spec.code) {
      row.tool = this.countedTool(row);
      return idAt(minute, row, '', row.tool ?? undefined);
    }
    const id = idAt(minute, row, limitKeyOf(row.address));
    if (this.known.has(id)) return id;
    if (this.addresses < MOST_ADDRESSES) {
      this.addresses++;
      return id;
    }
    row.address = SEVERAL_ADDRESSES;
    return idAt(minute, row, SEVERAL_ADDRESSES);
  }

  private countedTool({ api_key_id, tool }: Row): string | null {
    if (tool === null) return null;
    const known = this.tools.get(api_key_id) ?? new Set();
    this.tools.set(api_key_id, known);
    if (known.size >= MOST_TOOLS && !known.has(tool)) return null;
    known.add(tool);
    return tool;
  }
}

/** A UUID v7 of the minute, made of what the counted calls have in common. */
function idAt(minute: number, row: Row, place: string, tool?: string): string {
  const { organization_id, api_key_id, member_id, plane, status, code, dry_run } = row;
  const time = (minute * MINUTE_MS).toString(16).padStart(12, '0');
  const hash = createHash('sha256')
    .update(JSON.stringify([minute, organization_id, api_key_id, member_id, plane, status, code, place, tool, dry_run]))
    .digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** One statement cannot change a row twice. */
function merged(batch: readonly CountedRow[]): CountedRow[] {
  const rows = new Map<string, CountedRow>();
  for (const row of batch) {
    const first = rows.get(row.id);
    rows.set(row.id, first ? { ...first, calls: first.calls + row.calls } : row);
  }
  return [...rows.values()];
}
