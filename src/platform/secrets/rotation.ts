import type { Pool, PoolClient } from 'pg';
import { SecretBox } from '../config/secret-box.js';
import type { EncryptedColumn } from './encrypted-columns.js';
import { noteEncryptionKey } from './encryption-check.js';

const BATCH = 200;

/** How many secrets of a column the first key encrypts, and how many others do. */
export interface ColumnState {
  table: string;
  column: string;
  current: number;
  earlier: number;
}

export interface RotatedColumn {
  table: string;
  column: string;
  rotated: number;
  /** Encrypted with a key that is not given, or damaged. They stay as they are. */
  unreadable: number;
}

/** An ordered list, as the primary key's columns. */
interface KeyColumn {
  name: string;
  type: string;
}

type Row = Record<string, unknown> & { sealed: Buffer | string | Buffer[] };

/**
 * Encrypts stored secrets again, with the first key. Rows are done in batches, each a transaction, beside the running suite; a run that was
 * interrupted is continued by the next one, because what is done does not begin like what is left.
 */
export class SecretRotation {
  private readonly box: SecretBox;

  constructor(
    private readonly pool: Pool,
    private readonly encryptionKeys: readonly string[],
    private readonly columns: readonly EncryptedColumn[],
  ) {
    this.box = new SecretBox(encryptionKeys);
  }

  async states(): Promise<ColumnState[]> {
    const states: ColumnState[] = [];
    for (const target of this.columns) {
      const { rows } = await this.pool.query<Pick<ColumnState, 'current' | 'earlier'>>(
        `SELECT count(*) FILTER (WHERE NOT (${isEarlier(target)}))::int AS current,
                count(*) FILTER (WHERE ${isEarlier(target)})::int AS earlier
         FROM "${target.table}" WHERE ${hasSecret(target)}`,
        [this.headerOf(target)],
      );
      states.push({ table: target.table, column: target.column, ...rows[0] });
    }
    return states;
  }

  /** Once nothing is left that an earlier key could decrypt, starts accept only the first key. */
  async rotate(): Promise<RotatedColumn[]> {
    const done: RotatedColumn[] = [];
    for (const target of this.columns) done.push(await this.rotateColumn(target));
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    const left = sum((await this.states()).map(({ earlier }) => earlier));
    if (left === sum(done.map(({ unreadable }) => unreadable))) await noteEncryptionKey(this.pool, this.encryptionKeys[0]);
    return done;
  }

  private async rotateColumn(target: EncryptedColumn): Promise<RotatedColumn> {
    const { table, column } = target;
    const key = await this.keyOf(table);
    const result = { table, column, rotated: 0, unreadable: 0 };
    let last: Row | undefined;
    do {
      const rows = await this.batchAfter(target, key, last);
      const readable = rows.flatMap((row) => {
        const renewed = this.renewed(target, row, key);
        return renewed === null ? [] : [{ row, renewed }];
      });
      result.unreadable += rows.length - readable.length;
      result.rotated += await this.inTransaction((client) => replaceAll(client, target, key, readable));
      last = rows.length === BATCH ? rows.at(-1) : undefined;
    } while (last);
    return result;
  }

  /** In the order of the primary key, so that no row is read twice and locks are taken in one order. */
  private async batchAfter(target: EncryptedColumn, key: readonly KeyColumn[], last: Row | undefined): Promise<Row[]> {
    const names = key.map(({ name }) => `"${name}"`).join(', ');
    const after = last ? `AND (${names}) > (${key.map(({ type }, index) => `$${index + 2}::${type}`).join(', ')})` : '';
    const { rows } = await this.pool.query<Row>(
      `SELECT ${names}, "${target.column}" AS sealed FROM "${target.table}"
       WHERE ${isEarlier(target)} ${after} ORDER BY ${names} LIMIT ${BATCH}`,
      [this.headerOf(target), ...(last ? key.map(({ name }) => last[name]) : [])],
    );
    return rows;
  }

  private renewed({ kind, ownerOf }: EncryptedColumn, row: Row, key: readonly KeyColumn[]): Row['sealed'] | null {
    const owner = ownerOf(String(row[key[0].name]));
    const again = (box: Buffer) => this.box.seal(this.box.open(box, owner), owner);
    try {
      if (kind === 'list') return (row.sealed as Buffer[]).map(again);
      return kind === 'text' ? again(Buffer.from(row.sealed as string, 'base64url')).toString('base64url') : again(row.sealed as Buffer);
    } catch {
      return null;
    }
  }

  private headerOf({ kind }: EncryptedColumn): Buffer | string {
    return kind === 'text' ? this.box.header.toString('base64url') : this.box.header;
  }

  private async keyOf(table: string): Promise<KeyColumn[]> {
    const { rows } = await this.pool.query<KeyColumn>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_index
       JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
       WHERE indrelid = $1::regclass AND indisprimary ORDER BY array_position(indkey::int2[], attnum)`,
      [table],
    );
    return rows;
  }

  private async inTransaction<R>(work: (client: PoolClient) => Promise<R>): Promise<R> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }
}

/** A secret that was replaced meanwhile is left alone. */
async function replaceAll(
  client: PoolClient,
  { table, column }: EncryptedColumn,
  key: readonly KeyColumn[],
  replacements: readonly { row: Row; renewed: Row['sealed'] }[],
): Promise<number> {
  const where = key.map(({ name, type }, index) => `"${name}" = $${index + 3}::${type}`).join(' AND ');
  let replaced = 0;
  for (const { row, renewed } of replacements) {
    const { rowCount } = await client.query(`UPDATE "${table}" SET "${column}" = $1 WHERE "${column}" = $2 AND ${where}`, [
      renewed,
      row.sealed,
      ...key.map(({ name }) => row[name]),
    ]);
    replaced += rowCount ?? 0;
  }
  return replaced;
}

/** `$1` is what begins a secret that the first key encrypted. */
function isEarlier({ column, kind }: EncryptedColumn): string {
  if (kind === 'list') return `EXISTS (SELECT FROM unnest("${column}") AS box WHERE substring(box FROM 1 FOR 6) <> $1)`;
  return kind === 'text' ? `left("${column}", 8) <> $1` : `substring("${column}" FROM 1 FOR 6) <> $1`;
}

function hasSecret({ column, kind }: EncryptedColumn): string {
  return kind === 'list' ? `cardinality("${column}") > 0` : `"${column}" IS NOT NULL`;
}
