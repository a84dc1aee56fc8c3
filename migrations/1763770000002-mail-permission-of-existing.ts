import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * So far, all mails but those about webhook endpoints are about documents; those that let their reader sign are confidential.
 * In a transaction of its own: the exclusive lock of an ALTER TABLE would stop all mail while every row is updated.
 */
export class MailPermissionOfExisting1763770000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE mails SET permission = CASE WHEN confidential THEN 'papers.document.manage' ELSE 'papers.document.view' END
        WHERE permission IS NULL AND subject NOT LIKE 'Webhook endpoint disabled: %'`,
    );
  }

  /** The column is dropped by the previous migration. */
  async down(): Promise<void> {}
}
