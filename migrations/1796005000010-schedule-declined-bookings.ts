import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = `'pending', 'confirmed', 'rejected', 'cancelled', 'no_show'`;
const AFTER = `'pending', 'confirmed', 'rejected', 'cancelled', 'declined', 'no_show'`;

/** What a booking page does when a guest declines. */
export class ScheduleDeclinedBookings1796005000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE schedule_booking_pages ADD COLUMN decline_action text NOT NULL DEFAULT 'cancel'
         CONSTRAINT schedule_booking_pages_decline_action_check CHECK (decline_action IN ('cancel', 'mark'))`,
    );
    await allowStatuses(queryRunner, AFTER);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE schedule_bookings SET status = 'cancelled' WHERE status = 'declined'`);
    await allowStatuses(queryRunner, BEFORE);
    await queryRunner.query('ALTER TABLE schedule_booking_pages DROP COLUMN decline_action');
  }
}

async function allowStatuses(queryRunner: QueryRunner, statuses: string): Promise<void> {
  await queryRunner.query('ALTER TABLE schedule_bookings DROP CONSTRAINT schedule_bookings_status_check');
  await queryRunner.query(`ALTER TABLE schedule_bookings ADD CONSTRAINT schedule_bookings_status_check CHECK (status IN (${statuses}))`);
}
