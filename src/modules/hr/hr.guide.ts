/** The module's guide for agents. */
export const HR_GUIDE = `
The HR module shows who works here, who reports to whom, and who is away. Nothing can be written with a key; people request leave
and decide on it on their own pages.

1. Find people by work e-mail: list_employees with work_email, or with q for names. Without status it leaves out those who have left.
2. list_departments gives the ids for department_id.
3. get_org_chart with root_id returns who reports to somebody, level by level; list_employees with manager_id returns direct reports.
4. list_absences with from and to returns who is away, with department_id in a department and those below it. It never says why.
5. list_holidays with employee_id returns the free days of a person.
6. list_leave_requests and list_leave_balances return more, if the key has hr:leave:read. Some leave types are hidden: their leave has
   leave_type_id null, and they have no balance. Do not guess the reason of an absence.

Days are decimals in strings; half_day start means from noon of the first day, end until noon of the last one. A balance is that of the
year of as_of: available = granted + carried_over - expired - taken - planned - pending.

A key that is bound to a project sees its people alone: a manager elsewhere is null. Private data, such as birthdays, addresses and pay,
is in no call.
`.trim();
