import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Store } from '../../../kit/index.js';
import { poolOf } from '../../persistence/database/pool.js';
import { systemContext } from '../../persistence/transactions/call-context.js';
import { Project } from '../model/project.entity.js';
import { noteSetups, PROJECT_SETUPS, type ModuleSetup, type ProjectSetups } from './project-setups.js';

/** A random number: whoever has this advisory lock sets up projects. */
const LOCK = 6_215_480_377;
const NOT_NOTED = 'NOT EXISTS (SELECT FROM project_setups s WHERE s.project_id = p.id AND s.module = m.module)';

/** The start waits for them, and each waits for the database most of the time. */
const AT_ONCE = 8;

/** Sets up the projects that exist for modules that were added after them. `project_setups` notes which module has set up which project. */
@Injectable()
export class MissingSetups {
  private readonly log = new Logger('Projects');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    @Inject(PROJECT_SETUPS) private readonly setups: ProjectSetups,
  ) {}

  /** A setup that fails is logged, and tried again at the next start. */
  async apply(): Promise<void> {
    const unnoted = await this.dataSource.query<{ module: string }[]>(
      `SELECT m.module FROM unnest($1::text[]) AS m (module) WHERE EXISTS (SELECT FROM projects p WHERE ${NOT_NOTED})`,
      [this.setups.map(({ module }) => module)],
    );
    if (unnoted.length === 0) return;
    const client = await poolOf(this.dataSource).connect();
    let isDone = false;
    try {
      const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
      // another process sets them up
      if (!rows[0].taken) return void (isDone = true);
      for (const setup of this.setups)
        if (unnoted.some(({ module }) => module === setup.module))
          await this.applyOf(setup).catch((error: Error) =>
            this.log.error(`Projects could not be set up for ${setup.module}: ${error.message}`),
          );
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
      isDone = true;
    } finally {
      // a lost connection has no lock
      client.release(!isDone);
    }
  }

  private async applyOf({ module, entities, setUpProject }: ModuleSetup): Promise<void> {
    // projects of versions that noted nothing, or of their processes during a rolling upgrade
    const isSetUp = this.tablesOf(entities).map((table) => `p.id IN (SELECT t.project_id FROM ${table} t)`);
    const projects = (condition: string) => `FROM projects p, (SELECT $1::text AS module) m WHERE ${NOT_NOTED} AND (${condition})`;
    if (isSetUp.length > 0)
      await this.dataSource.query(
        `INSERT INTO project_setups (project_id, module) SELECT p.id, m.module ${projects(isSetUp.join(' OR '))}
         ORDER BY p.id ON CONFLICT DO NOTHING`,
        [module],
      );
    const missing = await this.dataSource.query<{ id: string; organization_id: string }[]>(
      `SELECT p.id, p.organization_id ${projects(isSetUp.length > 0 ? `(${isSetUp.join(' OR ')}) IS NOT TRUE` : 'true')} ORDER BY p.id`,
      [module],
    );
    const setUp = async ({ id, organization_id }: (typeof missing)[number]) => {
      try {
        await this.store.write(systemContext(organization_id, 'live'), async (tx) => {
          // another process may be at it
          if ((await noteSetups(tx, id, [module])).length === 0) return;
          const project = await tx.get(Project, id);
          await tx.advanced.unaudited(() => setUpProject(tx, project));
        });
      } catch (error) {
        this.log.error(`The project ${id} could not be set up for the module ${module}: ${(error as Error).message}`);
      }
    };
    for (let at = 0; at < missing.length; at += AT_ONCE) await Promise.all(missing.slice(at, at + AT_ONCE).map(setUp));
  }

  /** The tables with the configuration of projects; other rows may be gone. */
  private tablesOf(entities: ModuleSetup['entities']): string[] {
    return entities
      .map((entity) => this.dataSource.getMetadata(entity))
      .filter((of) => of.findColumnWithPropertyName('project_id') && !of.findColumnWithPropertyName('mode'))
      .map(({ tableName }) => tableName);
  }
}
