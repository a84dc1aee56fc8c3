import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An executed document stays executed: it can be superseded or revoked, and its validity can end. */
export class DocumentsKeepExecuted1763760000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE FUNCTION keep_executed_documents() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF NEW.executed_at IS DISTINCT FROM OLD.executed_at OR NEW.revision <> OLD.revision
            OR NEW.state NOT IN ('executed', 'expired', 'revoked', 'superseded') THEN
           RAISE EXCEPTION 'document % is executed, which is final', OLD.id;
         END IF;
         RETURN NEW;
       END $$`,
    );
    await queryRunner.query(
      `CREATE TRIGGER documents_keep_executed BEFORE UPDATE OF state, executed_at, revision ON documents FOR EACH ROW
         WHEN (OLD.executed_at IS NOT NULL) EXECUTE FUNCTION keep_executed_documents()`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER documents_keep_executed ON documents`);
    await queryRunner.query(`DROP FUNCTION keep_executed_documents()`);
  }
}
