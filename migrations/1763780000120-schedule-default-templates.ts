import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';

/** Gives existing projects the event template that new projects get on creation. */
export class ScheduleDefaultTemplates1763780000120 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const projects = (await queryRunner.query('SELECT organization_id, id FROM projects')) as { organization_id: string; id: string }[];
    for (const { organization_id, id } of projects)
      await queryRunner.query(
        `INSERT INTO schedule_event_templates (id, organization_id, project_id, name, is_default, core, metadata_schema)
         VALUES ($1, $2, $3, 'Standard', true, $4, $5)`,
        [
          uuidv7(),
          organization_id,
          id,
          JSON.stringify({ title: 'required', location: 'optional', description: 'optional' }),
          JSON.stringify({ type: 'object', properties: {} }),
        ],
      );
  }

  /** Keeps the rows, which may be in use by now; reverting the previous migration drops their table. */
  async down(): Promise<void> {}
}
