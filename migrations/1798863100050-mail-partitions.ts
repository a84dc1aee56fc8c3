import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MailPartitions1798863100050 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.bound('mails', 'id')`);
    await queryRunner.query(`SELECT partitions.validate('mails')`);
    await queryRunner.query(`SELECT partitions.split('mails', 'id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.merge('mails')`);
  }
}
