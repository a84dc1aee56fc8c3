import type { Type } from '@nestjs/common';
import { CommonErrors, DomainError, type BaseEntity, type CustomFieldValues } from '../../../kit/index.js';
import { hydrate } from '../rows/entity-plan.js';
import { runUnprepared } from '../rows/reader.js';
import type { PgTx } from './pg-tx.js';

interface KeptTable {
  place: number;
  name: string;
  /** Those that the rows have, and that the table still has. */
  columns: string[];
}

const KEPT = `
  SELECT d.place, d.table_name AS name, ARRAY(
    SELECT quote_ident(a.attname) FROM pg_attribute a
    WHERE a.attrelid = d.table_name::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      AND a.attname IN (SELECT json_object_keys(d.rows->0)) ORDER BY a.attnum) AS columns
  FROM deleted_rows d WHERE d.deleted_record_id = $1 ORDER BY d.place`;

const kept = (place: number) => `SELECT rows FROM deleted_rows WHERE deleted_record_id = $1 AND place = ${place}`;

/** The deleted row itself, without virtual columns. */
export async function keptRow<E extends BaseEntity>(tx: PgTx, entity: Type<E>, recordId: string): Promise<E> {
  const plan = tx.reader.plan(entity);
  const { rows } = await runUnprepared<E>(tx.on, {
    text: `SELECT t.* FROM json_populate_record(NULL::${plan.table}, (${kept(0)})->0) t`,
    values: [recordId],
  });
  return hydrate(plan, rows[0]);
}

/**
 * Puts a deleted row back with all that was deleted with it: the same ids, numbers and versions. Only the time of its last change is now,
 * so that whoever reads what has changed finds it. 409 with the field if the database refuses a row. `before` is the `keptRow`.
 */
export async function restoreRows<E extends BaseEntity>(tx: PgTx, entity: Type<E>, recordId: string, before: E): Promise<E> {
  const plan = tx.reader.plan(entity);
  const { rows: tables } = await runUnprepared<KeptTable>(tx.on, { text: KEPT, values: [recordId] });
  // first, so that handlers neither see nor return what no longer exists
  const fields = plan.customFields === null ? null : await tx.customFields.ofRestored(before as unknown as WithFields);
  if (fields !== null) Object.assign(before, { custom_fields: fields });
  const values = tx.hooks.has(entity) ? await tx.hooks.run(tx.ctx, tx, entity, { kind: 'insert', before: null, values: before }) : before;
  for (const { place, name, columns } of tables) {
    const list = columns.join(', ');
    try {
      await runUnprepared(tx.on, {
        text: `INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE
          SELECT ${list} FROM json_populate_recordset(NULL::${name}, (${kept(place)}))`,
        values: [recordId],
      });
    } catch (error) {
      throw refusalOf(error, place === 0 ? '' : `${name}.`);
    }
  }
  await runUnprepared(tx.on, {
    text: `UPDATE ${plan.table} t SET updated_at = now()${fields === null ? '' : ', custom_fields = $2'} WHERE t.id = $1`,
    values: [before.id, ...(fields === null ? [] : [JSON.stringify(fields)])],
  });
  const row = await tx.get(entity, before.id);
  const changed = tx.changedIn(before, values);
  return changed.length === 0 ? row : tx.write(row, changed);
}

type WithFields = BaseEntity & { project_id: string; custom_fields: CustomFieldValues };

/** What else has changed meanwhile does not permit the row. */
export function refusalOf(error: unknown, within = ''): unknown {
  if (!(error instanceof DomainError) || ![400, 409].includes(error.spec.status)) return error;
  const { code } = (error.cause ?? {}) as { code?: string };
  const { param } = error.occurrence;
  const field = param === undefined ? undefined : within + param;
  const more = { param: field, cause: error, extra: error.occurrence.extra };
  if (code === '23505')
    return CommonErrors.duplicate({ ...more, message: `${field ?? 'A value'} has been taken meanwhile by another record.` });
  if (code === '23503')
    return CommonErrors.resourceConflict({ ...more, message: `${field ?? 'A field'} names a record that no longer exists.` });
  if (error.spec === CommonErrors.duplicate.spec) return error;
  return CommonErrors.resourceConflict({ ...more, message: error.message });
}
