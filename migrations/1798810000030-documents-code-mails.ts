import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails with the codes of parties that sign are followed, too. */
export class DocumentsCodeMails1798810000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await this.purposes(queryRunner, `'copy', 'executed', 'decision', 'code'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM document_mails WHERE purpose = 'code'`);
    await this.purposes(queryRunner, `'copy', 'executed', 'decision'`);
  }

  private async purposes(queryRunner: QueryRunner, purposes: string): Promise<void> {
    await queryRunner.query('ALTER TABLE document_mails DROP CONSTRAINT document_mails_purpose_check');
    await queryRunner.query(`ALTER TABLE document_mails ADD CONSTRAINT document_mails_purpose_check CHECK (purpose IN (${purposes}))`);
  }
}
