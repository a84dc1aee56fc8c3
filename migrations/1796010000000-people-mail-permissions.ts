import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles that manage webhooks may send mails again. Mails that had failed before are sent again one by one only: some have no text. */
export class PeopleMailPermissions1796010000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE roles SET permissions = array_append(permissions, 'org.developer.mail.send')
       WHERE 'org.developer.webhooks.manage' = ANY(permissions) AND 'org.developer.mail.view' = ANY(permissions)
         AND NOT 'org.developer.mail.send' = ANY(permissions)`,
    );
    await queryRunner.query(`UPDATE mails SET refused = true WHERE status = 'failed'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE roles SET permissions = array_remove(permissions, 'org.developer.mail.send')`);
  }
}
