import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A reminder at the beginning of an event was accepted and never sent. Templates that have one could not be sent back as they are. */
export class ScheduleRemindersOfZeroMinutes1798200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE schedule_event_templates SET reminder_minutes = array_remove(reminder_minutes, 0) WHERE 0 = ANY(reminder_minutes)`);
  }

  /** The reminders had no effect, so none is restored. */
  async down(): Promise<void> {}
}
