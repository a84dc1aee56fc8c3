import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files are uploaded before the message that carries them. */
export class DeskUploads1796004000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE desk_attachments ALTER COLUMN message_id DROP NOT NULL');
    await queryRunner.query('CREATE INDEX desk_attachments_unused_idx ON desk_attachments (created_at) WHERE message_id IS NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX desk_attachments_unused_idx');
    await queryRunner.query('DELETE FROM desk_attachments WHERE message_id IS NULL');
    await queryRunner.query('ALTER TABLE desk_attachments ALTER COLUMN message_id SET NOT NULL');
  }
}
