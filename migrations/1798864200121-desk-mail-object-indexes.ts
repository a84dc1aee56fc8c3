import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = { desk_inbound_mails: 'content_object_id' };

/** Outside of a transaction, so that nothing waits while the tables are read. */
export class DeskMailObjectIndexes1798864200121 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of Object.entries(COLUMNS)) {
      const index = `${table}_${column}_idx`;
      // an invalid one is left behind if it was interrupted
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${table} (${column}) WHERE ${column} IS NOT NULL`);
      await queryRunner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_${column}_fkey`);
    }
    // mails that wait to be read
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS desk_inbound_mails_received_idx');
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY desk_inbound_mails_received_idx ON desk_inbound_mails (updated_at) WHERE status = 'received'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX desk_inbound_mails_received_idx');
    for (const [table, column] of Object.entries(COLUMNS)) {
      await queryRunner.query(`DROP INDEX ${table}_${column}_idx`);
      await queryRunner.query(`
        ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_fkey,
          ADD CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, ${column})
            REFERENCES objects (organization_id, id) NOT VALID`);
    }
  }
}
