import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The latest booking of each resource, by which a booking page with many resources chooses one. */
export class ScheduleLatestBookings1763790000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX schedule_bookings_resource_created_at_idx ON schedule_bookings (resource_id, mode, created_at)
      WHERE resource_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX schedule_bookings_resource_created_at_idx');
  }
}
