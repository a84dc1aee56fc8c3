import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A document is sent once the mail server has taken a signature request. Until then its request is pending. */
export class DocumentsSendRequest1763770000400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE documents ADD COLUMN send_request jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // without the column nothing would complete a pending request: its parties are released, so that it can be sent again
    await queryRunner.query(
      `UPDATE signature_parties p SET status = 'cancelled', token_hash = NULL FROM documents d
         WHERE d.id = p.document_id AND d.revision = p.revision AND d.send_request IS NOT NULL
           AND p.status IN ('invited', 'viewed', 'waiting')`,
    );
    await queryRunner.query(`ALTER TABLE documents DROP COLUMN send_request`);
  }
}
