import { Body, Controller, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CommonErrors, Ctx, Endpoint } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { PurgeTestRows } from './purge-test-rows.js';
import { EraseTestDataDto, TestDataErasureDto } from './test-data.dto.js';

/** Shorter than proxies wait for a response. */
const ERASE_FOR_MS = 20_000;

@Controller('api/v1/org/developer/test-data')
export class TestDataController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly testRows: PurgeTestRows,
  ) {}

  @Post('erase')
  @Endpoint({
    operation: 'erase_test_data',
    summary: 'Erase test data',
    description:
      'Deletes everything that test keys created in the modules. Live data and configuration stay. Rows that were deleted are not ' +
      'restored if the request is interrupted; send it again to delete the rest.',
    permission: 'org.developer.testdata.erase',
    confirmation: true,
    returns: TestDataErasureDto,
  })
  async erase(@Ctx() { organizationId }: Ctx, @Body() body: EraseTestDataDto): Promise<TestDataErasureDto> {
    const { rows } = await poolOf(this.dataSource).query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
      organizationId,
    ]);
    if (rows[0].name !== body.organization_name)
      throw CommonErrors.validationFailed({
        param: 'organization_name',
        message: 'organization_name must be the name of the organization whose test data is erased',
      });
    const { deleted, isComplete } = await this.testRows.erase(organizationId, ERASE_FOR_MS);
    return { object: 'test_data_erasure', complete: isComplete, deleted: Object.fromEntries(deleted) };
  }
}
