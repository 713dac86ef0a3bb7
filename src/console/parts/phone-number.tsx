import { groupsOf } from '#console/phone-number.ts'

/** Shows a number in groups. There are no blanks in it, so that it is copied and found as it is. */
export function PhoneNumber({ number }: { number: string }) {
  return (
    <span class="number" dir="auto">
      {groupsOf(number).map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </span>
  )
}
