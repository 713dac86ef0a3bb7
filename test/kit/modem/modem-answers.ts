/** What the pretend modem answers to commands that change nothing. */

/** Answers that never change, without the final line. */
export const FIXED: Readonly<Record<string, readonly string[]>> = {
  I: ['Pretend', 'P1', 'R1'],
  '+GCAP': ['+GCAP: +CGSM'],
  '+CGMI': ['Roost'],
  '+CGMM': ['Pretend P1'],
  '+CGMR': ['R1'],
  '+CIMI': ['262010000000001'],
  '+CSCS=?': ['+CSCS: ("IRA","GSM","UCS2")'],
  '+CFUN?': ['+CFUN: 1'],
  '+CNUM': ['+CNUM: ,"+4915112345678",145'],
  '+CSQ': ['+CSQ: 21,99'],
  '+CNMI=?': ['+CNMI: (0-2),(0-3),(0,2),(0-2),(0,1)'],
  '+CMGF=?': ['+CMGF: (0,1)'],
  '+CSMS?': ['+CSMS: 1,1,1,1'],
  '+CSMS=1': ['+CSMS: 1,1,1'],
  '+CPMS=?': ['+CPMS: ("SM","ME"),("SM","ME"),("SM","ME")'],
  '+CPMS?': ['+CPMS: "ME",0,255,"ME",0,255,"ME",0,255'],
  '+CSCA?': ['+CSCA: "+491710760000",145'],
  '+CLCK=?': ['+CLCK: ("SC","PS","FD")'],
  '+CLCK="SC",2': ['+CLCK: 0'],
  '+WS46=?': ['+WS46: (12,22,25,28,29,30)'],
  '+CSTA?': ['+CSTA: 145'],
}

/** Commands that are accepted without an answer of their own. */
export const ACCEPTED = new RegExp(
  '^$|^[EVXZ&]|^\\+(?:CMEE|CFUN|CMGF|CSCS|CNMI|CPMS|C[GE]?REG|CMMS|CSMS|CSMP|COPS|CRC|CLIP|CVHU|CMER|CIND|' +
    'CCLK|CCWA|CUSD|CLCC)',
)

/** As a SIM keeps digits: two in a byte, the second first, filled up to ten bytes. */
export const swapped = (digits: string) => digits.padEnd(20, 'F').replace(/(.)(.)/g, '$2$1')
