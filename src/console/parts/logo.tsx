/** A bird on its perch. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path class="perch" d="M3 26h26" />
      <path
        class="bird"
        d="M7 25.5c-.7-9.3 3.1-16.9 10.3-16.9a5.5 5.5 0 0 1 5.300 4.4l4 1.5-4 1.5c-.5 5.3-5.4 9.5-15.6 9.5z"
      />
      <circle class="eye" cx="18" cy="13.5" r="1.4" />
    </svg>
  )
}
