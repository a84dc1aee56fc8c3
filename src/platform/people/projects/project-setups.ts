import type { Type } from '@nestjs/common';
import { sql, type ProjectSetup, type Tx } from '../../../kit/index.js';

/** The setup of projects by one module. */
export interface ModuleSetup extends ProjectSetup {
  readonly module: string;
  readonly entities: readonly Type[];
}

/** Injects `ProjectSetups`. */
export const PROJECT_SETUPS = Symbol('project setups');

/** In the order of the modules. */
export type ProjectSetups = readonly ModuleSetup[];

/** Notes that modules set up a project. Returns those that were not noted. */
export async function noteSetups(tx: Tx, projectId: string, modules: readonly string[]): Promise<string[]> {
  const noted = await tx.sql<{ module: string }>(
    sql`INSERT INTO project_setups (project_id, module) SELECT ${projectId}, unnest(${[...modules]}::text[])
      ON CONFLICT DO NOTHING RETURNING module`,
  );
  return noted.map(({ module }) => module);
}
