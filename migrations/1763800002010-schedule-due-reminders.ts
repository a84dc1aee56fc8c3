import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reminders that are due. Nearly all whose time is over were sent, but the planner takes the two conditions as independent, expects many
 * rows, and read the whole table in the order of its ids. Of an expression that an index without condition has, it keeps statistics.
 */
export class ScheduleDueReminders1763800002010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX schedule_reminders_due_at_idx`);
    await queryRunner.query(
      `CREATE INDEX schedule_reminders_unsent_due_at_idx ON schedule_reminders ((CASE WHEN sent_at IS NULL THEN due_at END))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX schedule_reminders_unsent_due_at_idx`);
    await queryRunner.query(`CREATE INDEX schedule_reminders_due_at_idx ON schedule_reminders (due_at) WHERE sent_at IS NULL`);
  }
}
