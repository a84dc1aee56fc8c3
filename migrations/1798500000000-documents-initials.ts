import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Initials that a party adopts besides its signature; null for those that follow from its name. */
export class DocumentsInitials1798500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE signature_parties ADD COLUMN initials jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE signature_parties DROP COLUMN initials');
  }
}
