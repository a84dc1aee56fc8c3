import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which visitor had a code mailed, so that the mails of one address can be limited. Codes are valid for minutes, so old ones have none. */
export class ScheduleBookingCodeAddresses1763790000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE schedule_booking_codes ADD COLUMN address_hash text');
    await queryRunner.query(
      'CREATE INDEX schedule_booking_codes_address_idx ON schedule_booking_codes (organization_id, address_hash, created_at)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX schedule_booking_codes_address_idx');
    await queryRunner.query('ALTER TABLE schedule_booking_codes DROP COLUMN address_hash');
  }
}
