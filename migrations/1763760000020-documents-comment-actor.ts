import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments on decisions name the member who decided; `actor` is the key that made the request. */
export class DocumentsCommentActor1763760000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_comments ADD COLUMN actor jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_comments DROP COLUMN actor`);
  }
}
