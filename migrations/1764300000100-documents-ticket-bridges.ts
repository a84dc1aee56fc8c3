import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONSTRAINT = 'intake_bridges_target_check';

/** A form can make a ticket. */
export class DocumentsTicketBridges1764300000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await replace(queryRunner, `target IN ('lead', 'task', 'ticket')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM intake_bridges WHERE target = 'ticket'`);
    await replace(queryRunner, `target IN ('lead', 'task')`);
  }
}

async function replace(queryRunner: QueryRunner, condition: string): Promise<void> {
  await queryRunner.query(`ALTER TABLE intake_bridges DROP CONSTRAINT ${CONSTRAINT}, ADD CONSTRAINT ${CONSTRAINT} CHECK (${condition})`);
}
