import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that prove a visitor's e-mail address; the guest's link, encrypted, so that every later mail can repeat it. */
export class ScheduleBookingCodes1763780000320 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE schedule_booking_codes (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT schedule_booking_codes_mode_check CHECK (mode IN ('live', 'test')),
        page_id uuid NOT NULL,
        email text NOT NULL,
        code_hash text NOT NULL,
        failures integer NOT NULL DEFAULT 0 CONSTRAINT schedule_booking_codes_failures_check CHECK (failures >= 0),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT schedule_booking_codes_page_id_fkey FOREIGN KEY (organization_id, project_id, page_id)
          REFERENCES schedule_booking_pages (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await queryRunner.query('CREATE INDEX schedule_booking_codes_email_idx ON schedule_booking_codes (page_id, email, created_at)');
    await queryRunner.query('CREATE INDEX schedule_booking_codes_created_at_idx ON schedule_booking_codes (created_at)');
    await queryRunner.query('ALTER TABLE schedule_bookings ADD COLUMN token_sealed text');
    await queryRunner.query('CREATE INDEX schedule_bookings_page_id_idx ON schedule_bookings (page_id, created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX schedule_bookings_page_id_idx');
    await queryRunner.query('ALTER TABLE schedule_bookings DROP COLUMN token_sealed');
    await queryRunner.query('DROP TABLE schedule_booking_codes');
  }
}
