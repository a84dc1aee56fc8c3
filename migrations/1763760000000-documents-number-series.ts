import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';

interface Repeat {
  id: string;
  organization_id: string;
  mode: string;
  type_id: string;
  type_code: string;
  number: string;
  pattern: string;
  reset: string;
  year: string;
  month: string;
}

/** A document whose number is not known outside: never submitted, rendered or shared. */
const UNSEEN = `d.state = 'draft' AND d.approval_round = 0 AND d.revision = 1
  AND NOT EXISTS (SELECT 1 FROM document_renditions r WHERE r.document_id = d.id)
  AND NOT EXISTS (SELECT 1 FROM document_share_links s WHERE s.document_id = d.id)`;

/**
 * One series of numbers per type and organization; until now each project had its own, so two agreements could have the
 * same number. The series of the organization continues after the highest number of its projects.
 *
 * Of the documents with the same number, one keeps it: the oldest of those whose number has been seen outside, or else the
 * oldest. A draft that was never submitted, rendered or shared gets the next number of the series and an entry in its audit
 * trail. Every other document keeps its number, which is printed or quoted somewhere; `number_repeated` excludes it from the
 * unique index.
 */
export class DocumentsNumberSeries1763760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // reading stays possible; a new document could repeat a number
    await queryRunner.query(`LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE`);
    await queryRunner.query(`
      INSERT INTO counters (organization_id, project_id, mode, series, last)
      SELECT organization_id, organization_id, mode, series, max(last) FROM counters
      WHERE series LIKE 'document %' GROUP BY organization_id, mode, series`);
    const drafts = (await queryRunner.query(`
      WITH ranked AS (
        SELECT d.id, ${UNSEEN} AS unseen,
          row_number() OVER (
            PARTITION BY d.organization_id, d.mode, d.type_id, d.number ORDER BY ${UNSEEN}, d.created_at, d.id
          ) AS place
        FROM documents d
        JOIN (
          SELECT organization_id, mode, type_id, number FROM documents WHERE number IS NOT NULL
          GROUP BY organization_id, mode, type_id, number HAVING count(*) > 1
        ) repeated USING (organization_id, mode, type_id, number)
      ), marked AS (
        UPDATE documents SET number_repeated = true FROM ranked WHERE documents.id = ranked.id AND ranked.place > 1
        RETURNING documents.id, ranked.unseen
      )
      SELECT d.id, d.organization_id, d.mode, d.type_id, d.type_code, d.number,
        COALESCE(v.definition #>> '{numbering,pattern}', '{TYPE}-{SEQ:5}') AS pattern,
        COALESCE(v.definition #>> '{numbering,reset}', 'never') AS reset,
        to_char(d.created_at AT TIME ZONE p.timezone, 'YYYY') AS year, to_char(d.created_at AT TIME ZONE p.timezone, 'MM') AS month
      FROM marked
      JOIN documents d ON d.id = marked.id
      JOIN document_type_versions v
        ON v.organization_id = d.organization_id AND v.type_id = d.type_id AND v.number = d.type_version
      JOIN projects p ON p.organization_id = d.organization_id AND p.id = d.project_id
      WHERE marked.unseen
      ORDER BY d.created_at, d.id`)) as Repeat[];
    // patterns with {PROJECT} have one series per project, so their drafts keep their numbers
    for (const draft of drafts) if (!draft.pattern.includes('{PROJECT}')) await renumber(queryRunner, draft);
    await queryRunner.query(`
      CREATE UNIQUE INDEX documents_new_number_key ON documents (organization_id, mode, type_id, number)
      WHERE number IS NOT NULL AND NOT number_repeated`);
    // these exclude readers, so they come last
    await queryRunner.query(`DROP INDEX documents_number_key`);
    await queryRunner.query(`ALTER INDEX documents_new_number_key RENAME TO documents_number_key`);
  }

  /** Numbers stay as they are: each is still unique in its project. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX documents_number_key`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX documents_number_key ON documents (organization_id, mode, type_id, project_id, number) WHERE number IS NOT NULL`,
    );
    // the series of the projects continue after the highest number of the organization
    await queryRunner.query(`
      INSERT INTO counters (organization_id, project_id, mode, series, last)
      SELECT c.organization_id, p.id, c.mode, c.series, c.last FROM counters c
      JOIN projects p ON p.organization_id = c.organization_id
      WHERE c.series LIKE 'document %' AND c.project_id = c.organization_id
      ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = greatest(counters.last, excluded.last)`);
    await queryRunner.query(`DELETE FROM counters WHERE series LIKE 'document %' AND project_id = organization_id`);
  }
}

async function renumber(queryRunner: QueryRunner, { id, organization_id, mode, type_id, type_code, ...draft }: Repeat): Promise<void> {
  const { number: before, pattern, reset, year, month } = draft;
  const period = reset === 'never' ? '' : reset === 'year' ? year : `${year}-${month}`;
  const start = pattern.replaceAll('{TYPE}', type_code.toUpperCase()).replaceAll('{YYYY}', year).replaceAll('{MM}', month);
  // an earlier pattern, or one with {PROJECT}, can have produced the next number
  let number: string;
  do {
    const [{ last }] = (await queryRunner.query(
      `INSERT INTO counters AS c (organization_id, project_id, mode, series, last) VALUES ($1, $1, $2, $3, 1)
        ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = c.last + 1 RETURNING last`,
      [organization_id, mode, `document ${type_id} ${period}`.trim()],
    )) as { last: number }[];
    const text = start.replace(/\{SEQ(?::(\d{1,2}))?\}/, (_, digits: string | undefined) =>
      String(last).padStart(Number(digits ?? 1), '0'),
    );
    number = mode === 'test' ? `TEST-${text}` : text;
  } while (await isTaken(queryRunner, [organization_id, mode, type_id, number]));
  await queryRunner.query(
    `UPDATE documents SET number = $2, number_repeated = false, version = version + 1, updated_at = now() WHERE id = $1`,
    [id, number],
  );
  await queryRunner.query(
    `INSERT INTO document_audit_entries (id, organization_id, project_id, mode, document_id, action, actor, from_state, to_state, detail)
      SELECT $2, organization_id, project_id, mode, id, 'papers.renumber', '{"type":"system","id":null,"email":null}', state, state, $3
      FROM documents WHERE id = $1`,
    [id, uuidv7(), JSON.stringify({ before, after: number })],
  );
}

async function isTaken(queryRunner: QueryRunner, values: string[]): Promise<boolean> {
  const rows = (await queryRunner.query(
    `SELECT 1 FROM documents WHERE organization_id = $1 AND mode = $2 AND type_id = $3 AND number = $4 LIMIT 1`,
    values,
  )) as unknown[];
  return rows.length > 0;
}
