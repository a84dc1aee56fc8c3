import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The permission that reading a mail's content requires. So far, all mails but those about webhook endpoints are about
 * documents; those that let their reader sign are confidential.
 */
export class MailPermission1763770000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN permission text`);
    await queryRunner.query(
      `UPDATE mails SET permission = CASE WHEN confidential THEN 'papers.document.manage' ELSE 'papers.document.view' END
        WHERE subject NOT LIKE 'Webhook endpoint disabled: %'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN permission`);
  }
}
