import { Body, Controller, Get, Post } from '@nestjs/common';
import { Ctx, Endpoint, Id } from '../../kit/index.js';
import { EraseTestDataDto, TestDataDto, TestDataErasureDto } from './test-data.dto.js';
import { TestDataService } from './test-data.service.js';

const permission = 'org.developer.testdata.erase';

@Controller('api/v1/org/developer/test-data')
export class TestDataController {
  constructor(private readonly testData: TestDataService) {}

  @Get()
  @Endpoint({
    operation: 'get_test_data',
    summary: 'Count the test data by module',
    permission,
    returns: TestDataDto,
  })
  get(@Ctx() ctx: Ctx): Promise<TestDataDto> {
    return this.testData.read(ctx);
  }

  @Post('erase')
  @Endpoint({
    operation: 'erase_test_data',
    summary: 'Erase test data',
    description:
      'Starts a job that deletes everything that test keys created in the modules, or returns the one that is running. Live data and ' +
      'configuration stay. What was deleted cannot be restored.',
    permission,
    confirmation: true,
    returns: TestDataErasureDto,
    status: 202,
    destructive: true,
  })
  async erase(@Ctx() ctx: Ctx, @Body() body: EraseTestDataDto): Promise<TestDataErasureDto> {
    return TestDataErasureDto.from(await this.testData.erase(ctx, body.organization_name));
  }

  @Get('erasures/:id')
  @Endpoint({
    operation: 'get_test_data_erasure',
    summary: 'Get the progress of an erasure',
    permission,
    returns: TestDataErasureDto,
  })
  async erasure(@Ctx() ctx: Ctx, @Id() id: string): Promise<TestDataErasureDto> {
    return TestDataErasureDto.from(await this.testData.get(ctx, id));
  }
}
