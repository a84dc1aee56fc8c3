import { Field, shownOf } from '../../../kit/index.js';
import { EmployeeDto } from '../views/employee.dto.js';
import { EXAMPLE } from '../model/example-ids.js';

export class OrgChartQuery {
  @Field.uuid({
    description: 'Employee at the top; all who report to nobody if omitted.',
    example: EXAMPLE.manager,
    required: false,
  })
  root_id?: string;

  @Field.integer({
    description: 'Levels to return, 2 by default.',
    example: 2,
    minimum: 1,
    maximum: 5,
    default: 2,
    required: false,
  })
  depth?: number;
}

export class OrgChartNodeDto extends shownOf(EmployeeDto, {
  name: true,
  position: true,
  department_id: true,
  manager_id: 'Employee to whom they report, if the key sees them.',
  status: 'Status; who has left is shown while others report to them.',
}) {
  @Field.uuid({
    description: 'Employee.',
    example: EXAMPLE.employee,
  })
  id: string;

  @Field.integer({
    description: 'Level below the top, from 1.',
    example: 2,
    minimum: 1,
    maximum: 5,
  })
  level: number;

  @Field.integer({
    description: 'How many report to them directly.',
    example: 0,
    minimum: 0,
  })
  report_count: number;
}

/** Who reports to whom. */
export class OrgChartDto {
  @Field.constant('org_chart')
  object: string;

  @Field.uuid({
    description: 'Employee at the top, if one was asked for.',
    example: EXAMPLE.manager,
    nullable: true,
  })
  root_id: string | null;

  @Field.integer({
    description: 'Levels that were asked for.',
    example: 2,
    minimum: 1,
    maximum: 5,
  })
  depth: number;

  @Field.boolean({
    description: 'Whether some are left out, because there are more than 500; ask for a part by root_id.',
    example: false,
  })
  truncated: boolean;

  @Field.object(() => OrgChartNodeDto, {
    description: 'By level and name.',
    example: [
      {
        id: EXAMPLE.manager,
        name: 'Grace Lindqvist',
        position: 'Head of Engineering',
        department_id: EXAMPLE.department,
        manager_id: null,
        status: 'active',
        level: 1,
        report_count: 1,
      },
    ],
    list: { maxItems: 500, repeats: true },
  })
  nodes: OrgChartNodeDto[];
}
