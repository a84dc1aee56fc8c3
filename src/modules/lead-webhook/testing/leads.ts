import type { TestApp } from '../../../../test/harness/test-app.js';

let people = 0;

/** A submission by a person who was not there before. */
export function person(over: object = {}) {
  const number = ++people;
  return { full_name: `Ada Lovelace ${number}`, email: `ada-${number}@example.com`, ...over };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts shapes instead of declaring them
export async function leadRow({ sql }: TestApp, id: string): Promise<any> {
  return (await sql.query('SELECT * FROM leads WHERE id = $1', [id])).rows[0];
}

/** The stages of a project's pipelines: first those of leads, in order. */
export async function stagesOf({ sql }: TestApp, projectId: string): Promise<{ id: string; pipeline_id: string; pipeline_kind: string }[]> {
  return (await sql.query('SELECT * FROM crm_stages WHERE project_id = $1 ORDER BY pipeline_kind DESC, position', [projectId])).rows;
}
