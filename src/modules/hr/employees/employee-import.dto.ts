import { Field, ImportResultDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';

export class EmployeeImportQuery {
  @Field.uuid({
    description: 'Project of the employees; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.boolean({
    description: 'Only check the file; write nothing.',
    example: true,
    default: false,
    required: false,
  })
  dry_run?: boolean;
}

/** The result of an import. */
export class EmployeeImportDto extends ImportResultDto {
  @Field.constant('employee_import')
  object: string;
}
