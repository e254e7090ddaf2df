// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Written by tools/spftr/make_trees.py for aspftr. The form of the text: spftr/trees.hpp.
#include <array>

#include "plugin/engines/spftr/trees.hpp"

namespace selvedge::spftr {
namespace {

// clang-format off
constexpr std::array kAspftrTrees = {
    StoredTrees{0, 4, 0, 4,
     "D/AANzLTAwNCKqyqwIxIySwIAAUEVVVVaqVVAABdKuKuCqAMKuPzrzrzBBoAFVKqQAaiYNSiKugAsEsImEsED/EAPT"
     "IQDzPTBMKyABKiBADzP/KCIwAwMAIA"},
    StoredTrees{0, 4, 1, 3,
     "wBA09z0KkBiqwLAsDw7AyciC8Lwpi8QDEVVVXalVxUKsACpBMqyrBwqCqGQAz8PAEDQPA0wBA09z0KkBwMAA3DcKQH"
     "C1StAGjQ9A"},
    StoredTrees{0, 4, 1, 4,
     "wAEE1KqypgKpAEyjiDITzM8yDETzwAFATdVHVVqrdViqsIDzA8yDEDzAz/wfMqyKggPMqyxVQqpAMwCAwBAMCqrEhy"
     "uWrtB1yuwTApICmAqgEQCqyjgCCMwjAAbCMwSqs0wVJNUZqYVJ"},
    StoredTrees{0, 4, 2, 2,
     "8XCgKRvKQKMoUHz9r1mT8pAPMvyJaMAondV9X2lVorw6C8r2/BcNJEqX32kp82CcBCqYMBUvygIIAjDI8iAgVL22gq"
     "8tMETzF8kz"},
    StoredTrees{0, 4, 2, 3,
     "oqkMfM/8hs/M8gw9CpWh9qypca8rMiMCIyMiAqJ0V3939rV38qycylCpTKyq0q/0rUpUtsrUkFcq8I8gls8I8rRgRz"
     "xyisRz8qhKyqiqiZyl89wlypyqmxyF8qzIzATDzHDA"},
    StoredTrees{0, 4, 2, 4,
     "Uq7yrgIIAsgsyAII8FxHX0lff9/2rkpf8qrMQMqyv/OFUc/z8gxJHUqmyqazCEqq8VUyqiAzKBNbMyAzoqqciLzAfM"
     "z8XbzA8R0F0UXdRd3GrkXd8/eJVcKmyqqZVcFVcU1CrkbPyoZMC0ZNcG1HbUpdxveKqkddAoIjd9N31nf2qhJ38qpy"
     "CvML8w+DFvMP8/fKqoqqiqaxScpU"},
    StoredTrees{0, 4, 3, 1,
     "rKAgBIoAAK/LS9XPaRd3lI8CsKSbCsqJIvwvCApAAAln1VX9kV/MBQKAkAgJfH8gBPImDy/LwPI/xAPArIAICQPwQA"
     "DKjHD8rw3L"},
    StoredTrees{0, 4, 3, 2,
     "/L8Icz8pliczoKi8i8v8jVi8/AFdFVFVvaFV3HfK/I/Amc/IDNMlUpcq/Y0pZL/DLyDxIyIxqJaCaDQK/baD/LoyIq"
     "IqRWIFrKgCAVi9iaAq/JgKgKQL8BgK"},
    StoredTrees{0, 4, 3, 3,
     "3K3wj8ioMpiz8ArKvHShUYV/GuhUPKgiBIzSKv3xIz3KNLPSR1Xf2rSq/KhQg/MP/EZQ/MdF/ysEiPQS3IEiXPdBVS"
     "p0qjMBQF/I/KjSq/XZmrSpADSiocM/NP2zQM2Ldw3QN/yZGpcN3KpMpQL8ypMlTL"},
    StoredTrees{0, 4, 3, 4,
     "3P3sKq8rAUqM8zI8HAAPXKN3nJV1tV/aq0BV/KqKvzlXz//zhlR//z/AMIVRIqqIf3kqqIVVWPf/KugAL/ILmMLjIL"
     "rKqYKyYhVYqq8wecqqrKqQzwQxdSCu/VdTyu/KqiwDicDicDm/zicD9F1/KqJVRDXTJZxN/TXP38lVIKmgqqmzEIFV"
     "2IYVxdXzf/zXkSqXzf1IMfH1/L1gR1laq/L1/DTIfbcXd8XVcaqcXd9KqnyIfzM/TImxVfzM"},
    StoredTrees{0, 4, 4, 0,
     "/TAQqS/zAAAQAAVVVVVV/3VVrzyKzDwA/DzDqiAgMwMwIAMA/z/DoIrLAArL/TqSAQKyAAKSnxPzDzAMWZDzvzEMLP"
     "KqAAAMlTPzKiDzFuKifz/zoQjzlVrT"},
    StoredTrees{0, 4, 4, 1,
     "1x9wtcP/KxdpQMqiqrIry/84AQBABA9Z3Wd1Wf9vWd/z/yv8noBFSr8rPy6AioKVLfx+oK1y/8ODAqChYKrClST8Op"
     "CA8JvGryby/8M/HLxyVk/HoyEwdgoaKv9N8Xvy6kKDwqggGT/z"},
    StoredTrees{0, 4, 4, 2,
     "3Sv/D68roCiViq8rtCm1wdfNPauLVdUNqiapCisaKiaDyCsarytAlEyrTKv8G0BU/Q//Nyb3Jvcvayb3AzQsJ2DEVK"
     "n/U3zH/w9EgfyXoKRZifyr/St9j3XN/8uQyHXN/xekK3RtZN38p2RtPyv8a3Rd/Fv/b3Rd3zV/K/8jDwObMf8j3yPW"
     "zxXLvfeXahfDZSv/A/9z//OG8r9z"},
    StoredTrees{0, 4, 4, 3,
     "/z3iCViEliKpv0HiElryrh8xj8zv/ziZVhcxhyr/HbUFc/FX/2rfFfXSv/yvrSLoQIlzKrSLFi2Fw3FYmH83/2rFYn"
     "oyohgKhjChjG/1LhjC/yvEBUPKrIV0X2rPFXryrSINSJpSPd/KvSFpGCpWctX8tf8n/3LWMtlxWXyr2Fy/3Tlmy33z"
     "/wDpCp3EXP/3hmp0Ko3Svvwrr0Hqs2mApr03pS2/wXFUVP8XIEoH8XqSlfw3/w3/w3iMp/w3"},
    StoredTrees{0, 4, 4, 4,
     "qSpYnTFLREXr8R8BCordEX/xDx8KjlwI+/Ay9XDC1AAwAw0Mmda9ZV7V1d//artZV7/z98kFVSyqeKKqYMALAypeti"
     "qb/Krj8MsACyAvHzC8IsACAQpT1VvFVVcVX/arllFVryq5XABP/DPv/8+Fvy6QDHpiponTHLdMUr8xwGCorVMU2yVV"
     "/Krv8jM/zMwbMx1ACA/z98EqrgSqqhJVmMKrgSqa2ypofDHNXIWv8q6QMkN/Ienyq78ALCAQQLKV0EKpiyqu/yq6AA"
     "AEgxHSDHf8KvkgxmVSq7/BfaMKirwq6WxWf8FdpyqL8zTyNFBKs0uPajg9FN"},
    StoredTrees{1, 3, 0, 4,
     "P3AMDxDxDz2qKqAIMAEIauAAVVVVaqEAFVKqAAMAt1KOwwrzhFBBP/PzKiAAT/L9jzyqxVP3AMDxDxDzP3AMDxDxDz"
     "PbD/AMBdKu"},
    StoredTrees{1, 3, 1, 3,
     "ADAw0A0KgdrLbKspmw2sAFVVXagD3Py8LwPAABFcqCrAAYXKgAwCxQgGKsDAIAAADAw0A0KgADAw0A0KgAHAw0AcKw"},
    StoredTrees{1, 3, 1, 4,
     "AAME0KiC8wvM2rgABdV1VVqogRcqoAAAwPEEjdM/8HzKsoAQBAMZYKqAAAwAZ/8q4gArAEcAdXcqKyq8CGpIgBMoYI"
     "0yhgqoBqoqrKCCJMKo2rkwDMMXDNUw"},
    StoredTrees{1, 3, 2, 2,
     "ADwwMAwDA9oAFVVX2gXdyPCoJZgAARXK8rwAoGivAMAgQ2PyKyvFMg03zwsCwDAADwwMAwDAQPwAMAxCw0HygDAOAQ"},
    StoredTrees{1, 3, 2, 3,
     "AA8DA0ANAqrVoqrEvKjF9rAAV1VV9qABEVEq8D8xW/80C3RWSrAA8PAcCsAMoRUp8KAIIQAA8DA0ANAqAA8rAAAyA8"
     "Fq8AAwIqGA"},
    StoredTrees{1, 3, 2, 4,
     "YR1SrvKOMgtDMw9q4AAycHFUn2rgUYbx3cKRhpGKpggESiqpAA/MD8ww20DzVfKqCAQYyATf/yrgwKKw9iVQ9aryvg"
     "lVypZWqgAVXyrgKy8CzxXQQH/zU4NSilKKog9q7yDEDASrL0MA"},
    StoredTrees{1, 3, 3, 1,
     "AD8wAAAAA/YAFVVX9gqGEgwPwPA2C8aigIYAdv8sMyhEwACoiiKD8A11cvyDwmQAD8wAAgAAGH8wDPMAw3XctI/CEQ"},
    StoredTrees{1, 3, 3, 2,
     "AA/DAMAKAAPajAUVVV/aoBiK9w/wDw13XI/CA0JsGN/PArCDGD2AHFPKDBAK/RAKCALChBEA/DAMMsAMAApK/CpA/A"
     "dn/KoC/CRH"},
    StoredTrees{1, 3, 3, 3,
     "AAPwMA3ADQCorWYipdFVVf2o0BfSqnK/yo8U/agAAIw/KgQAdv/x/0sLDESsAAKSr8IpAvwA101yD8KA9CZwAAPzcA"
     "UAqAAw2ABwU8qDAADAGAfysCACMxjM"},
    StoredTrees{1, 3, 3, 4,
     "9D1/N9AKyCKsQyq/auAADScLVcy/ceZt3fKq/AM/MPhvHQD//NfAFRgqigBVr1ViKqlzI/zIiVRWNM3NU/KqDGEILI"
     "/WqNK2LMUD1VVaqNEBrKqvKmgAE/MLWE9/HRMKZIquGMcgaq/KMgjA/SyPww"},
    StoredTrees{1, 3, 4, 0,
     "/TAQBTDzAAVdqiAsAuIuq2AAMUMUF13b/zXP/LhJUMVR/zqCDz/XAQBRFxP3aijxKCCAyAD3IABzNB/zpVDzwIwwQY"
     "/XAwqCQA/D"},
    StoredTrees{1, 3, 4, 1,
     "XR/88IuALEAw/2wABWVVVf9sqBqoohwP8w/M/b1MX/LDwyEgph6UsPDKwgAA3db8v8L/C5mUAAK8srKgyP8MvR78ur"
     "IqyIQgph48sPDgCAYIr248OjKoioUU"},
    StoredTrees{1, 3, 4, 2,
     "a37/PwstCN1vbwoGiGJobFr8v/yw/2cgBNcH/wuVxQBvevK7MwYjL/Mw2WkbMT8zPysBsApYePK4CUiKiGRgpXeHKk"
     "Z2RXb/awr9eLKYnFj8uJkQ1nZVF/8rEwA/cwVhH/L6IIqxZYKQ"},
    StoredTrees{1, 3, 4, 3,
     "a0O/zbyJZyKpb0PoGohiypgxr8r/8z1nWVSX/yr0AA/3zpjXjyrizEizIhiWpX3hyqRn2RVW/2r/23AAEiyp/yrFPx"
     "12h/x/EisP1PmXJr93iyphcxj8ziZx2WpGzBPzDPzLAbIBb1ryrowo0jS/zz"},
    StoredTrees{1, 3, 4, 4,
     "1AA0/APQArVKoqoQCKgP2q6EAAEZwbV3B//arg1jdtXKpv8AM/zA8AMAwGA9f/NfwwVxCKrIYANAoAVGGKqqUKm/8A"
     "w/xTQ/1h4NKpgsBEpVUWfang3T98/BHS8qiKoAgAMAw0A9E/D3QAqWKoCgADAAWADj/LXRANdKKqpgAMAmTdefFVb8"
     "qeKgBiQKogAQAD/A/AM3OAjcr/KzgthBSvKrv8RNACoIGECArZByLKpozAUj8xyJipg32o6TAENSscP0xwlSpg/9t4"
     "DKogiIG/yq4n/xw"},
    StoredTrees{1, 4, 0, 4,
     "P3D/JRKiNzPzAAQAP/QAVVVVaqVVBBBdHzPzKiAADzNYK+AMMsMsMYMsR9K+gAymyqxVyqAAIMCqJRKiAwKiauAAMI"
     "MIMMMMMANBFVKqAIAMMIAA2qKqAECqCOEsCit1L/yioArzhloA"},
    StoredTrees{1, 4, 1, 3,
     "AHAQqAMAgAAM2iKtAVXVdqVUT/F0ozzPEDDwajI3B8pyGqsohXKsHCoKoVAAdhK8CgCQnCwAAHAycKAqwzIwBrPwAD"
     "QNA8AQBoLQKAUDcqCo2sAIyzDMAwDA"},
    StoredTrees{1, 4, 1, 4,
     "33817/zt8/dPZytMQQAEVVKqSDshWCqSDgb98qYzIJ0CtCXwK0A2XcKb3JdXXV3audXQGpssyLIwxAqrMEwxAjdYqp"
     "Sm8qjACxV8qgf/8/8FxKsvfP/zP8w2qkwPcD3M//Pau3Mw3XwqLcP3Dpwvce3Dw2qsPALTEUd9PVxKkgdqsv0PzBVS"
     "qpquCqg2qk/PFdCqsPUKqClgWqsrInwNsHbF/zJ8A"},
    StoredTrees{1, 4, 2, 2,
     "AHywIAwrAMCwNiirSVX1faVUQFCvAoKgrBoI0MywBQrwAK8oGbyxwPM8xmDMoGCkA8DwAKAAQ3xcKwlSmDgoA3zwnC"
     "kKQCAU9oACMAwihAMwPTS/DBIEvyBA"},
    StoredTrees{1, 4, 2, 3,
     "A98bAgAcCsAMCsNgoqtKVV9V9qVVoB0qMBnKtKvBvK9rAAIyIwMwEwAwQD8PQs8FUqajAqQbQY8nAqIWMqMEHV8rHA"
     "PDDDGHPLE18FAqIAMAAwIA0aMqAAQw8wAS8wGqM0yUykxUyoB0"},
    StoredTrees{1, 4, 2, 4,
     "YaryrjKKItCQ0GHwItAtgSCqnCq8V3xXYam8V021DzV8KqykHKhkrLioI9AwyoiQIJwf3CxfDJwsaqLyDwBxCrIKsg"
     "AwAHE9FWiqrAgklGSqnZRkqIZq5RAPLMBsQtRSaqBsQBqryAgMLAwsKrgqOAwMUADzXwJSg1FGUUqiglEaqryAAAAH"
     "EUqqgKAPKoUP/yoiKEQMjyzGpN8MghqqiClwH/KqMqrwE/Ko1gzw0QldylXNVQqqAFU3Q0yYQKWCKoqqhsMAEQF3fy"
     "vgKqQTBKM/czSjA"},
    StoredTrees{1, 4, 3, 1,
     "AD8wIAgCAAAgDawP1VX1f2VUqGoiAKAoAAKARv8VC/BcmbgI2AcrwlK8hgPANH8zDMM8wDAM/UAggjCsJBgAAD8gcD"
     "wKAADw0A8sAwD0AwwAT10vwAAHP8DA"},
    StoredTrees{1, 4, 3, 2,
     "AN/JAKAHCrAKAroBiKpCrw/wjx/wDUrK8QVV9V/aVV/aAACMCMDKBADMWAVG/JUK/BAK/K2DPIXC/CrCmKoCdv/P/I"
     "DMAMJMDM9D/IADCBKqAKCKgB/KAkMoIgAKAoR2/KAwxyXwZnjy"},
    StoredTrees{1, 4, 3, 3,
     "rYYiqsMpyv8SFpryg1qhzTyX8p/KsmJ8Nw/aAAIJyCcf3GdqDcQAAKypcK/BQCr8s/Kg/1QSo8lLKvwMBVAKAQWvy8"
     "HMDzMsy/MCzA1dfxUgqUU/1OZyUowdf/yjMw9FF1ZtrpFAWalzT8kUBN/S98/BAAavyoIwycKfD9xxcA"},
    StoredTrees{1, 4, 3, 4,
     "dau/I8fLY/DcRDYaKu/Dcaqu/NPslyopxkqyaqystxDaq/KGPcLVcL9cP/UPVcPo31rKqlDE/zEhzIvzH/zEfd9/Jx"
     "zKSwKmy13maqzD39GuVKi/KKDIDIIDLMzPMD/WqAKmCLLCBRKt1RaqDKq/auPHBILJIXB8qy/ccMrB1auHLbMxZcqW"
     "8qqJgz8oU3aq/AzMczIsb//fWaqIofaBd/KqgBRyCmxKqapRyCq2aWHKWPKqaHM/HMUbIfHMZn//LRoqi8pN0qu/FN"
     "8qurYESKqfCmTCq/x1iaqQBdUaidJP/BPFxlPRlXaqPx1"},
    StoredTrees{1, 4, 4, 0,
     "l3FzPzAwqCFmqifX/zJH1FP3Vl1FauqiAvKuKuIMKu0EPzVI/DVB/3XDUYrzKCsAMIcYsAqGAwzDqCrL/zDDBDnzIw"
     "wAww/zwwq2AAMQcQ/3D3cQqGCwDArIrE/LrIqGASBxzz/zDzxw/3AwqCVJ/LDD/D11VB/zpBjTm1rz"},
    StoredTrees{1, 4, 4, 1,
     "/Q78sAiKAvw8EKAAAAFKopGVVVVVX/bVVQ1gZck/DqCqsoYBqygagv8e8L/D68sBI/Dw/Q78soCAICioDAKIg/Z/8v"
     "Fx38//MJl38w1Npcs/DKAgNAXyKwg/Q/8+rIqxKsQEIqBAqRqkoTAPwz8uBEACAWgn8v/DEwT8shIPwwVjf8M/Pryw"
     "AhWN/ww/0wAgIBDAf8uZxqCQr248OAKAhwIuCTAiw"},
    StoredTrees{1, 4, 4, 2,
     "BXevK6VJX8P/U/9zX8MWY3/PwycCKwIrlmNCBwW2VfCf8nPys/EyBoEyg/1sjKCjKpUmnyZ9Lr8sr2uMMYtxiVH/U4"
     "lhjVEr9ePK4AygnKC8olVgvIFmqXI78jUAD9w//z/wM/2MJKQsJCUX/x5ZqD0UoGiGKobGhkb/x4/Lh0YY2n/I38j/"
     "zNQcG/zjzMrTeHKvwL/AdqNv8rfCspkePK4goiBCIkIZyiKAoWSLKZwnvwePK//zvwc/XcPFyYqpyv9d39rpCs"},
    StoredTrees{1, 4, 4, 3,
     "rWriyFi0JSUV/8XJmpTUVdZp/y/MCULwrV8pabOIAMqD1LylXzH/zH0DE/yrnzHr9njyrgCqgJSgvShZygKipmrjyj"
     "hsyRdy/1zhmqRZToHUryrpcpr8rr8rv8Xp8p1mp/wPMHMMnMPVPm2JMnMr/3iypiABjExSMx/HziExW2mVzG/yLUQk"
     "/xHIWo/wrTU9/zfyJYyCYyKo/0PyCY/3XIBUKyqEyEvxHlHJ2wKlmmVSp/wvB8JD/Lj/zD8LpG0hiqpwn1wl38nv0r"
     "1Qlr93jyriyIiAJj8ni8pjwJP0DSytSFdSKt1Kt/2rSId"},
    StoredTrees{1, 4, 4, 4,
     "vf9+vKrlUlR/yq4AKopZXJ/wX0/1d0PKrgNwrAnCsicKy9XNAnCs1ar7/HPcDXByNcnIqylZzKyJckBnQz/J/iYrKJ"
     "RV3/VXf9quJSq4lg1mWGWb8qurxiz/GPAAsQoxyAaGrb9LPBcMk/8zz/yPovAn/8zwv0N2DLU4gVVSKlbUqpr9AvSK"
     "FQWZqZdKpv8rOUAML/wzpmzH/wE4r2N2EKqkSp+VxFT9XX4tqmVxFQaqrr/NLzCkyMJTMoqMpVyUMKTIX9///Knigq"
     "SyERHKqGpjAnyKhIdf9f/KnqzMgpUyRf3LGm83r8ywo99GIKpokKmi8JSvyrr/Cci8NQ/2q4PADigwL1HA/8tjZWfL"
     "1GA8/338GKiicMfJwS3/xvf9p+JASk"},
    StoredTrees{2, 2, 0, 4,
     "NC/fAcDTAwAEYMCyAsKu2uHRKujAyqF1auAMPzFVaaQcP/VVaq/TNYFVKqAApFjXK+wAvzP3/XAcDTAwD3Z9CyCiBB"
     "NB1tKqCqAA"},
    StoredTrees{2, 2, 1, 3,
     "GrQAAAAAAtW1Yq9L/AYFr8oJwrAEDQQVCoAAb3fc/UxvABoFgqgrIwUHb0swuSgGrQAAAQKAGnawADIFQ2sQAjMEyg"},
    StoredTrees{2, 2, 1, 4,
     "Gd9r4AwDMBnA9DQQEKWCqso4ammJbP/y87PMR1UfVKqzCgwoQ991fJfwXQqoGqhsAFBCgsAE9roWWKqcIPPAbUNVgK"
     "WAlAqoR/9q4AAkwGVUqZXffK+JXCq4"},
    StoredTrees{2, 2, 2, 2,
     "AD2wAAAwArVdfKCfKwgGAaKUHygW/b/PMwrARr2gAVxpQ9CkVK8OEgP0AQJoLwABr0AAAAwAAb1gIDM8wND0QFAoQA"},
    StoredTrees{2, 2, 2, 3,
     "Bg9DAEAGMqr1rVoqVB/KVvVP8vCMJcAaAWUX8r8rBq9oAAIyMk2omCc2wWiq9T9gApvKmKgB9lgFApMqTf9awoVCax"
     "v9g1g18qAC"},
    StoredTrees{2, 2, 2, 4,
     "Yaph1UKV8qYAqgaf/2rgAApwNqVQo3eBVaKqXMj8ywGqqYCPMDIp4grgav/drvLdCVGKog2pL3WwFWIqpTCAZkV2hv"
     "K+sDBFcQBpY2pgKKUMDwzA/d0FUQKqgCCzMwaDz2vpI0cPRCqg"},
    StoredTrees{2, 2, 3, 1,
     "Br9QCCcKwoGgaiJAMAVr2KxoFigfdNPzMscwAY9AAmL8Aq2rQCNAPA3TR1C/OQgTb9gATBEQZ1KvywzKQ1c9DRDIJw"},
    StoredTrees{2, 2, 3, 2,
     "AY/aAICcCk/0g1iJPBAKGtVv/PMnIrgBqBAFFJPK/TWWVK/AkSBq/QAIBwPwPaAQAIoC/ATa/ZABUKZBrRoRoK/S/8"
     "Rr9QPKT0S8"},
    StoredTrees{2, 2, 3, 3,
     "Dav2gABAMgXAmEVhFUq/AIAoGjVd/8vMlyKsQav3UAVUKnxUP0ABoIgrCvwABEP2oAgBwD8Adq/YD8zTLEowAdP3UA"
     "pCcgrA/QA0EAqBBRyorfaEGgq/0v/w"},
    StoredTrees{2, 2, 3, 4,
     "9Nf/ZdjKiicDSsLZqmZgP/MPIlxIqyYAQWNbWJWfKm/Kqdn/9am/LMFzMvxVWau2bN/G9zKiiVx/3dbXRYKW/KqAAI"
     "v2Gg2GSKq9Ke/KuVh9/aqFACLMPlJVBqiNaI/LMTCi/Fxb2q9W9rKqfCI/zM"},
    StoredTrees{2, 2, 4, 0,
     "1MVDVi/zjzfXqWswsIkko1a1qiCcKunbUcqyoyBlqmv3AwAnCqr30E/zwQwwauX1mBnzfzYA/3tQdwXz0AqmXAXI/z"
     "p0hmqyFNPLPXo1ixDDBdB1PbKyqx/z"},
    StoredTrees{2, 2, 4, 1,
     "1bz98tMqSJ/Av9wPQrJ1Jfysabd92/LKFmCgAGD9txFcyf8cXa/2OrKQQFvE309ZxXG/x5UkZjkYf/LDCAsw/3wtm2"
     "JLwwBg/3/9sCDAn8qoq9qhaqKpyv88fb/98tId8F/M/9z9csELBIckX19NX/Pwg1LI"},
    StoredTrees{2, 2, 4, 2,
     "EGAbdVcV/yv/CwRmn/awsASHBKngFtpVW/8vABwIrAv1eDVIYqpQmfxwpjeGFoUqvyuAMAj9eg1KYrlwW/CwWY3dff"
     "8/MzQiKg/2s9U/8rzIvGxgrVePZ4ArgjKJcQoaSJhYspi8X/yw"},
    StoredTrees{2, 2, 4, 3,
     "map221Xz3/yrgMkr93gd0iSppwp/8zWGp/2jDAESHISpWZg+dRp/y/My0IiqBADP3XwzUwiq/yLmaq3YP/zPAJcCKs"
     "/33hmqpxxryzm8x/3fo2Uvyrz9LxXyr93hF2hiqhcBj8zo1UiGlrCp3zPvzH"},
    StoredTrees{2, 2, 4, 4,
     "FRVX/argAAACzAMVFVQgDRAqNWwQlT3yp4/KrgGaqZdrBP8c8MysIiwyAp912kHXaYqu1Qiw/zLA/9DwD2ogggUSwp"
     "b/yrgGaqb9wD/8wPBJTUIqOg12qoWailUos/wwyASogGhAgb/ZxgjUPwh7/Krgf9j7/VDgAqOQkAhKsCw/3X8EVSyQ"
     "qqp8q7/wzAv0Bwq2GgQhQ/Q90DKogqlBgq/2wQgQ/Q90DKogqlBgq/2wQgQ/Q10DKogv9ByPXXYAtZhyqr//zwVtvr"
     "X29v8T8Dz9MLKog"},
    StoredTrees{2, 3, 0, 4,
     "P3/XAcDRDTDzaqQ8KqwkVVaq/TNZFVKqAAMg2u2iIcDzrzAANBdNKiAIMAMAFFaOP/BdKuFNAY/fA8DRDzKiH3XdL/"
     "EAPzFVpFjXI8iCyqyq/XamAMcA/DjH"},
    StoredTrees{2, 3, 1, 3,
     "GjQQBCoBQKtW1YqcLwrKb3fc/wxfG8Zpn8qJcqyT3caADHI8BgAEAQqDQLMLQDQwUCjFGoGnQwAAUKgFGjQwggCCv8"
     "arRkrwv07x"},
    StoredTrees{2, 3, 1, 4,
     "GotaoJRCrgg8BJmRV/fK+JXCq6Km9rrXaKqciPMDzIF99q4AAHAD8MJVa/dJVKmyqlVVqqammJ7P/w86/Nrz0DBAAK"
     "qAUQqYKqDdwXUKqCIAzDMcXf9r4KigAvQv/zW99qbGMyxCKoUA"},
    StoredTrees{2, 3, 2, 2,
     "AD2wAAAAAApGtVK8OgryW9b/PCsBwrAAAaKcHyvARr2gAIwXGl9r0AIjL9P8fT1vLwRKFMAD2wABAoAANr0AIEA8AQ"
     "AD0QFAoAfK"},
    StoredTrees{2, 3, 2, 3,
     "AA9BAqACoK8AVvVP8vycysZcg1Y9Ut8N0JsqNqtBoqnKfA/FPQDaAhQF8q8CQQ9rAAAwVwaw2qGA8wATCTCjAA91AV"
     "AqAEMo039EAqJAKAkKr9/9AqEI8AAw"},
    StoredTrees{2, 3, 2, 4,
     "GgAUBPB90JaSqvKq9V32riADJwMrA1ELm1S2V6Kq8K4UyPzIWq7aDvMPgXGJcYqyQaph2VKV8qqyivEsZPf2rgLAsM"
     "DyzARUWqJXCPLAXKr8IGszZvf3V/FegqpF02px/d1NUUKa8zRxVfKqZqp2vvMyCV0KropV"},
    StoredTrees{2, 3, 3, 1,
     "Ab9AAAABAo0BQ1R/KQryqmraiIEsQCVr2Aycnymz/cBACBwPB8Xb9gAyRKFlT/1PzsJBfKD39QCAMAwTAb9ACAAEA8"
     "DQhQBEE8fy"},
    StoredTrees{2, 3, 3, 2,
     "HY/aAAAQCsGYp9r9pKXA/AvCRv9v/P8nAq8D0A2BEFPJEKPAP0Q2SL/DoC/E2qEAPIoy8nAq/aAQAIAABADxAA/aAA"
     "AMANPKP0/XAIBADyF8RA/ZABCKQQas"},
    StoredTrees{2, 3, 3, 3,
     "P9f3UAqASAoI/8Vr/Yqs08l/KtYDmAdjUQlfKfwUAqfav2gACCsFXBqV/0ANoIgpCqcqfKGkFx/8vMzAJwCsAAP9sA"
     "aHJTyr8A/VA2oAoBCA8AFwpaa2Ggq0Av/z/81/V/1U9/KhwC8B"},
    StoredTrees{2, 3, 3, 4,
     "Aaq/QAAAAAAAAAAAAAAGqaHZQJd/KufAc/CuGX32Z+/K+BAwDwgGcw/2uAGiCIESB1/yqGwDVqiVgH/MPIlxgqywqy"
     "Daq/aiAAACcLCsDBMBVDd/RdAKikAAfwAbwHABB/auAAAAAQAKmACqAaq/aiAAAADAATAChADY0/dfAFVIKqLKCAEQ"
     "/d3Gd3UK2/CmFAIPzAp/3v/3pKq3AD/QD/wLZqmR0E/LMQyy8Vdgqm"},
    StoredTrees{2, 3, 4, 0,
     "AAauqiACARKiv3/XTxVB/DFS1P1DVT/zqxHzf3oUDzAEgIgET3/3owAsQkaq1dnbrzCQKuBsAAL1KBrzRT/zq2q2qw"
     "rAHA/Dauf3jzzHyqQIv3qWAwMIMAEBpVh1qyqApCvLvboU/zBBDzlA"},
    StoredTrees{2, 3, 4, 1,
     "T0f9eAIzFEqZAJq1qpaEIJcg/M/zAAFY9VK/w6cn/LWaX2P/PoCqApSOv24BSqKIwCkqDwW9djW/LVJfytYh/269eA"
     "IqyKsiEVR3P9sgAMDBxxqu/96NSoKKwgNAWy/16tUMJPwyUMPz/9y9cgHAhyIcXK/dwdSkKBwT8ORIZjtYG/HDCwQV"
     "sr"},
    StoredTrees{2, 3, 4, 2,
     "1l3/a8AhynLKspipZgJVN38X/SulBA8r2a7djf8/MBwwrBLOr9eEFoYqp0v/wwfCAGgaSlgh/wOaAv8X/3cPRwAoC9"
     "AJkFfy//cqZgAFVxX/FwAoZWn/UwAkAsZCRmqqv9ejVKwp/9ML0R/zr1eDVIgpiQWPx4lJo1SIVYwpjweLKf8LZNLW"
     "2hUhPwulCf/Da/V31f8XzKTMlPyr"},
    StoredTrees{2, 3, 4, 3,
     "V2h/2rAAACnCSrCWWRr9Hg9EiCp1wB38j//DGaq3YN/zPMDMMJcKKsqgGp/WBA1XzX/w3ACooDUi1VrCprwrdcB/8z"
     "AAAP93ABVDx3FCp/yDa99dFp/y/wJQwKgwgCQGh/23IBXwiqwkCarCv9Xr1XsCoqykqwEByp/2r2HSEDQPyjAypH/z"
     "/WrA1EhiG1cL38j//Hph3hhGRSq/wjpQJ/xDZhSVWrfyD/QzrQzvwr"},
    StoredTrees{2, 3, 4, 4,
     "31Q0/argAgMCkwjKjCJQKqoABCaAGFAqm/wEw/Kjg8AMGaoZfdP/8X+ACsIAFwQirC/910qHWSgqmdcBTfwHP/8vVm"
     "vrVQ9P81v/JX38qvmZV5Bmq4WaipUgcHzB/9MH/8qud2qb/bXwANZAiqpCQCEqBY/9Ayb0GNAqmPwAwFABD/AM/102"
     "aX29AqmPwg4PADBEMEv91+v1XqAqmXR1//GXiQqi/9k4rX2aArVrCtavCrv//P/3U8PV3wgqiC9ABJvQ///P/9A2L3"
     "14gqmryCz9AjAMzH/9o4AWogYqqN0qavwLP//PaapZ1gFN8ccmhxgQGEj8qu"},
    StoredTrees{2, 4, 0, 4,
     "AAaqAACCDTKSAwBRFZ3XJ9CuAECqGZCqUEauAAcI/H/HaqTHAAa2AMBRKiPzPzFR/TNYFXKqAMAMMIAMpVh1K+CigA"
     "oADwwAauQ8I8gAwwVRamiCD3/XAcDzBRKiBAKiAAaqAAAAMANAPzMABFZNB9KCEwPzKiPzNFtFKqALAyMzMzAyH3ff"
     "P/EAPzKiFdEQ2uGiKuAECqyqwDCq/XamIMwAfL/PjH/D"},
    StoredTrees{2, 4, 1, 3,
     "fTawA/IUTxao8Qb1t8/JwrG8/wnA9oGoqQHyvKshwQGjSwKCwJcqyrKgX/awgkC8HwWeUAZ13cjMoUyjZkowgGAUqw"
     "rHIogGFAQDaQKBQKBUagPA0fRArwtBfJIryg/2mcVCoKiqAEFQ"},
    StoredTrees{2, 4, 1, 4,
     "mtlqZIEzCNw//PlVdw4QPNDzF9isgvODzynovMp1ddXKuBSSooqOsxwUkmqpoaLIRVcqoKmyqsVU93TffK+c8/AHzz"
     "VmVPMjRY0WKqQzEczHIC8Eowbd9q4LNMjh8clVaqj8c3X1qJIP8C1KLxR88/LIbf9q6LAkwL8NWBfx58Ma/9qrKyC0"
     "yJIkQKcQJIFQZoaFUyqgVWKqwAMqoVrtarKODICjCcTbMwyAaqlqrAw9ELdBVTf87dAXW217P/KrhU0qOamio4"},
    StoredTrees{2, 4, 2, 2,
     "AGjaKopSfK8Pygdr3AIJAoSlaoUQfdN/KnK8HwWaUA90mfPCsFwrRkKw3SbbFwrKMoGzBAf32iACwXCscsrAr1nXK8"
     "AUryvE8gWvU/KcHyvJapQQf/3PLgSKFcayDA2cVhKMANK0XwlA"},
    StoredTrees{2, 4, 2, 3,
     "QR9qABKyJyKXapKyodoRoqcI8H8qgZQq2rWD8zycysysGMycBAZqUs8LgKoK8qsK/dBZAqFJPKPKfFHJ9rBwAaAkQq"
     "8rFi8XWt3f8vjKxcCsaLys9q91AVEqKBKCcxJCQ09mApBCKBFxaqICVv9KAgIMFFfKaUPK"},
    StoredTrees{2, 4, 2, 4,
     "Zqr2ivAyKzIhVSqmaqoqqg/d1t0WKq8KKQIJMgsfDQIAoDShNKKq8VVyqvKqsCTyVQao52pvLNTcHNwcFxCrLNwQ9v"
     "c2pvKOVEP8Q/yylnFcQw//f3XxFXMqoXECswgxYrMAaX3WvvI+8DczFwKq8l0zFwaoL2TPJwg2GDcfHfAqqDcQ/dNF"
     "2fLdAqLBcYqiRHEKsgDar1rrKCQLLyVfF18qpCqgQ3/3dgKmswvyD1QLazOyCw2vccqrKq/MhcwPzMG8f8iAWq7bC/"
     "MDBU0KroqWaqoJTQ2q7SiPLMyHD0qpSmvMj0rgWq72ijCAJcAqzCldaqYEzA"},
    StoredTrees{2, 4, 3, 1,
     "QP9/xsLyfJapCg/2jaiAw/C8BwFAABY1z/OQry/C8g1Y9sAiTKsqmHJQRv1/yHA8zzZsUw/UBbCJwvCqUEqAqX9QSD"
     "MJwrMYKwFpWPycxHE8/xPAY/98ywlCfKYzyQf/9PzUHylVaoCQ"},
    StoredTrees{2, 4, 3, 2,
     "Go/aAIDABQCgGwCgp9r9pKXK/F0KvxXF2b0TPKoC8X8r8b8r/aAQAIDwpy3y/8rydp9h/P8nAqAqBhAUQA2NEFPK9J"
     "/BPKVKWr/aAAJMCsVVaqCsNm/WAKCcCsyszGBcQH/aAIBADwryanBw/3SGSK/BUK/Jly/JP1Q1TK8KDECM/MAE"},
    StoredTrees{2, 4, 3, 3,
     "1/f3cAkAKASX8NCKgSoGndx/8vonPKwCs8TPFwp/a/2sq8CA3ALwP8A3Adq/YCsy8K/JPyjZs/KMgAVhnUhfCvxDQj"
     "vKqxIQH/2sAAAMAHDKVaqgrAX3/1gAgADKQpdKZxPQA3av3AAoACAUD/AGYQ8A//f2oAgASAoD/CD/AUA//f2oAoCS"
     "A8DKMvzAUgUHf1EAqBwA8ClKamSoA/1ChUAVHKvwX8q/PFwU/dQEUAqoCvQD9AnwfQAP2gNpIq/BVCr8N/KvyU"},
    StoredTrees{2, 4, 3, 4,
     "AGq/XbAJfAKqIIgLAwzMwIIgZquRbA/DMQlx8qy0qy/yyAlxVqu/aOAKAizAVzI/xVaqq/zEvdXm1VkKqfAI/yq/wF"
     "/yqVymAB1/auAIDIMDAMXzKqzJRAMXBqqb3fVEc/Hf/FdAFZ/Ki/Fd1qmFgE/MPMKiAlBi/DhnHAqCAH1/W9AKiACC"
     "AcIysLzHDCsAABA/auAKCATACjECjI/zAATI/aiPTFADJAKWAKq/KuIyICAQAAAKNbAJ3NKqNKW9I0/Kq9KqQEB/au"
     "AKCFAAvwDlUKaoLjwDbf3/aqoKq/SinQIf/DVlNnQI/2OAGiiIE9KqlAI//DlnLlAIWb/3W+/E9MKuAlNIquGYMAPP"},
    StoredTrees{2, 4, 4, 0,
     "3dvXPzVI/P/PWZVJf300qiLAKQqQHwDw1P1D1zPzqRpRTzqRaua2qCKqAQMQswAwVn/3wwggAkckaqIk/bLZnxLzCS"
     "KihlCiHbUcqyIeCuKuMMAcq2qmqADMDIJRymLIX3mmPzsIoEoLlSsEVn/3zzzHyqlVaqwE33q2AwsAMIKGQJME1vv3"
     "zziyxVyqUyyqZj/XVx/zpxDzZirzpFhlqSJxzzzzwwxxgYrV/zqCVB/D/z/D"},
    StoredTrees{2, 4, 4, 1,
     "B2P9MAAAHAq4quAzAp4v94BQqKACDUX/LAcKUkV331f/PDJ1Sn8nVKvyctmVZ1VJ/wwFAryhlCvIqhj9cAIpCa8v9L"
     "D8wcEVaf2MDEUCPwf8rabVysf9/9sAIwQMPCxhn88HAD1/9cAIAwChIqiBxSqIB2P9sAIAAABAiwBmCCAA9KvYAIPw"
     "yUG3F/yw8Maqv9MAAMgDLBVVaqjLA2Fb9cAIAMD3MrSE8D3Maqv9eAICqigKAglBSgIqhqoaAIKwg8MpCAwC8M/0wN"
     "SMJDw6sarK/8wMQ"},
    StoredTrees{2, 4, 4, 2,
     "32tYatABPzP/M/8zlmZVMQGabdhf8/MBwwrDCsEYYwnAphSH1oQq/wOlSaXJv8evywn9X/VwAUDysAQAqCGDEKggZV"
     "T/ZwAoAEIKggqCao4AQAABSmF6UrrwtXBf8r/xv/Kwr9dLVUQp/wMPwz/TJbEFQQb/f/VwAoCwgL0AlQarIL0A/acP"
     "RwAIAgoCwgLCWcECwgZGv/QwAoJcEPw1VJa/IJQg/9MD2CgqVwX/K6AonysPBwr0eDVIgpiwULBa8HBCiLBQB9GUFZ"
     "Yl1wmVAd/D//OVAQZv7Vtz8nLCgIECigZi4MoAa/133f83xKjMs8iS/KPMsw"},
    StoredTrees{2, 4, 4, 3,
     "ABoKhqoCk/TL/TzoSw/xz/SjGahlYF/zHACoMFUIKqCYBMKoY2o/0DICAAkyKouJEoafyKkO/9PABQKiqpQhr/L1/J"
     "//DpfJZm2ZkqRSD/wjfyz/xzACkXxz/1Xb2rcCE2zI2DAGzEvyr2zI1Vr/V/JyzPBfPKrPKvBmOBJdP03KtmACoPSX"
     "AQo/Qn/yL/QHEEA2tqECgPwHXwL0QI/8z/wLfWv/2DMAAKCozPwyrya/yzFQfX3/1HMCpL/TyXSSryVvyyrSRAB/33"
     "ABUMyoIvSEnRaryIvSr2nhEGhCG38rlcB38j//zn8Dr2XiEliCFXwr/wD/0PhsVRwBaquaqC/wPwIgwLAyJSaKuwLA"},
    StoredTrees{2, 4, 4, 4,
     "/QBwPdXy0lTDSqIpKEikhQlwqYpKog/9r49Grisqq1AIRfwzP1CM/88xVQhAjaqa1IJ/8w/zDMLMlwcirCyZMbIqwg"
     "Vmqr/ajs8AEjHC/KsG8qwrVmXnFcFwajTlZNtV0q2/yl5fCrt8qmfzM//AXQVmvrXQ/v8L+AAqIwysjCVxWKrIwisg"
     "/9r6GWmoYgZpcq6nypq/KumYqalSpg2arYdjFD8ssUwsb/CjlGKi//89fCrgapRn/ariswELKwwqTCKdMEa8po/TDA"
     "AB0OvXXbIlR0iprSJWNIqq/x8zSKmg/9X+A104sqm/JX0Eq3gSqqP888El3Qdaqb/ajv0cNIygIrAC5FASarCo/ALw"
     "r91+vXX6wqi2wrJdAPP8A/g8CdVAMA/992WX2dYqq/wy9VSNtfA1v8x9fyLgampr/dH8MqiyIqrBdI0q8rb/8/KtKw"},
    StoredTrees{3, 1, 0, 4,
     "PTKaPTDfAwH3VtauAABBNEdMdbKqKu2u3T3fI8vzoFplhlKuwIAYAYNTFVKqa+a+Q8P/VVPXK1PXDfAwNBJFP3DfAw"
     "AAKqYACuAA"},
    StoredTrees{3, 1, 1, 3,
     "GjQxAAAAABomgaC3Kg31fdBz9fAYFr2PyosA0MQB2BQKwtW1fVir/AADaRBAEKgAGAdrAAAQ/T/QdCqygGrX5dSrFw"},
    StoredTrees{3, 1, 1, 4,
     "FQdW3aiCABzIalmqZgUz/yfMAACASNlCdcqo93fdHWZCrkooX99a6UFiqslUHRN23dlCpgggFohZoXVSlcqomqlr7Y"
     "8AMIXEj94abX3xrsm0aWWtt2ey/zG0"},
    StoredTrees{3, 1, 2, 2,
     "AahfVAogAW/b1v8+zA9oGAaABFQAAPWNQXygr1adR8oKw/f9g0AoQAGr2gUor/A/3ajWAqMgAAoSFAryA/3arR0ozA"},
    StoredTrees{3, 1, 2, 3,
     "AA9DB1AVAqWvWvWP8vCcPQKaYaUt8qBq9QBqAAAxfT9YtRoqXMg1g1vVApMq9Rpq9AApJCBopl9FAqMEoB/ZARAqsK"
     "GqGoEAMw8z"},
    StoredTrees{3, 1, 2, 4,
     "ANkq2aHVApbyqgGveaptgE8w8JQQFqoVcRaqUAfzCw/V3904WVgqpSogYABgPH2+8T0Csgao72BvdfAlIipgl1fXdz"
     "VloqqUCARkVGpvamAgRyyA9XX2rmTNQW3yng2qrart3AssC8cQ"},
    StoredTrees{3, 1, 3, 1,
     "AD9gGAAAAqHfdBVL8gBp3HY/PAg/apT1AJJQ9M0K9qIAA2ja9jEG8gX/2jYTLywP39QFAIUAvUNf1AIjAAAhj9AL8A"},
    StoredTrees{3, 1, 3, 2,
     "AA9BDdAFAKtqdr9jrK8j/9/1A1CKjyPagS/aAMLFAQE9GNEB/KWP2aXc/PDMoBptr9VK/IP09GDVAJFKBa9QPWAJCS"
     "/d/XgZABVK"},
    StoredTrees{3, 1, 3, 3,
     "NQP0cB0ABACgGgFh9cf/Lw8woAaRGv9pKrwoAatFT9qAACzERr/ar2ArMPJMAaj9oDaSIPws/dxHQZ2EKnwAP0P1MJ"
     "UAJBSoPVIWr9AADAmQn0b/UoVAFRSo"},
    StoredTrees{3, 1, 3, 4,
     "AAAGgEGNXEJW/KqGn3lqmdgE/MPAlB/Xd/3TAGaCKqlyI/am9VNLai9IMfMH/3ZQHZ/XdwKSyKigN30N3v1loKq/MS"
     "VF9/aubbBQKB/KSaq23RU/aqIGILLINqqJqmtbE/DI/BNbWqWW+3W+/I9aSy"},
    StoredTrees{3, 1, 4, 0,
     "vboYaaqyiUAAGqHT3z/zqmT30E/zskD3qmL3sAJd1P1DVvVh/zlF1VlVqy/LauauVMqiAi33kUqWgwQnVtffgUqylh"
     "g1DVLVrRLz/3tZtVJxLz"},
    StoredTrees{3, 1, 4, 1,
     "qBigWplvSf8813/9/DYqSlPAf20FX9X/z2ZUAANq7WMXR/8s1jZWm9Tryxigj96FT/XwCIkgHa73Op2/yxc4/Z6tb/"
     "XAi8Io/9y/eAUqiocUP2xZgWb1g/88qNUZV1l/y8PE"},
    StoredTrees{3, 1, 4, 2,
     "1Wn/f4Z2xipfJwqAaoBg9nIASDKwZl52aVdx/z8Gbg/9//3z/bKipV8QAagb9Rk1XxX/Kw2a1Vrf2PPzEvHw/9+h1L"
     "9XzyjL8gADSgFP9rPzMgsA//f/1wDUCyl/8wpveH9Y9XiyiLxAp3eP149XgiqCxgv2uEcqd3pSm/Cw/1MoWqpWICRX"
     "Kg"},
    StoredTrees{3, 1, 4, 3,
     "v9Hq1Gq1WACUFypAaoYcUf2p/y/AIsZvS/9fAB0KiG/yr/2rR1B/2rwACSmy2ah/avoYFrypvxToAEhA2h93hCq/yr"
     "FmqFvaFjR/xf/yvr93oVk/1HMCoIiqP1XmGmmFVVCV/yroDUiDVj9ViCp/wD/9P/9rD1rCCoCcAW/92al2TNPzHAyo"
     "B/1/2rhmitSJ/zH"},
    StoredTrees{3, 1, 4, 4,
     "//08/2bq9Rc0CqI/ADAGmqrWU9tdr2/yPwCccAADQIU/axY1LlSVr/Krg/9Dz/0DCDaiKiBkfKrgZlfl1qhnWwU/yz"
     "z8lzQ2qtodwXj9quxAAZLIGw/3V+A3UyodZKClkFKpgpjd+/1349XfgCqqCwGAP2q4odRJhXUGCpb/Krg1VXX/aroR"
     "oCpCqK//zw//1+/3Xw/dfCCpYPKrgqg1mqDWSrVZBClI/Krg/9B2q2GSr9bBCpI/Krgaq9t2xVf9qeDBBArLIAWaob"
     "ZqtlVA2XzC//Mzg"},
    StoredTrees{3, 2, 0, 4,
     "NZ/XDXA8DzAwaCWqWCKqVVaqAAgEplB9KCCiF1a+Q8P/PzFVoFdF11KOwwvz/TAYNbFXKqKC2u2iH3IMiiwID31lau"
     "AAAABBD3/XBVBdKuAMNAp3B3KuPLDD"},
    StoredTrees{3, 2, 1, 3,
     "GrQBAAAAAAgGAbdSrF8rb1t23z/3D8Nr2tbCACTKAAqQBBUKsKWvaxoABcmV2cRBGCuyv8GrQBAAAABA9D/Rqir0r8"
     "mpT1Pyokyj"},
    StoredTrees{3, 2, 1, 4,
     "BBEQTbdCkYJHKqm95XbamwD4wOXz9rvaI33yriUkqOQWdN/dSxf8lcKqP9yqbYMz/w/PFxbQd32dliqpCBszaqmrJg"
     "YyrqoBjIFQRqobESVcqrAK2thKba+y3HPDxVA2StlDdykgB7Ku"},
    StoredTrees{3, 2, 2, 2,
     "AD2gQAAAAAoFadh8oJ8rDT9o1or0v89ikWRUrw4SW/b9v88zCsACAfdAUCjANr0AQAAARKBiEvaAAnCkAAqiGAiwvA"
     "Rr0AQAhcHx"},
    StoredTrees{3, 2, 2, 3,
     "AA0DNoAAAEAorR/ZjRoq/S/8W/Wv2P8fMsKM9Fp1ZlUq8DiKNqxQ9oAAByKUAaKaIaAgsK8DBghJ91AlAqMANqxE9H"
     "AoLAFxAA9rBQAgEBPKQA99FBs1SVSq"},
    StoredTrees{3, 2, 2, 4,
     "dqL0GDdXIVfyqpVJ/d390Y2VoqryyYzL2qqaptgk8z4CsiowAPcAVfauEgCTA/JVgQRpBGHVUlXypjKq3ao1rlWq8l"
     "8MXUqqt3dXV/ZWAqoHICszmqr1B4amkopQzPzMZvdkfXS+8t2JkYqi9V32rvaCAMAi0PKu"},
    StoredTrees{3, 2, 3, 1,
     "PSBf3AIBAo2ja9jUH8oCqn/aN/LDMq1p2GZ/IiSKAEgT2ACIvx/19/0qIkD8/apf1FIs8mPT9iFAIABQQ39QFAJQHw"
     "av2jU/Mwwn"},
    StoredTrees{3, 2, 3, 2,
     "Aa/QAQAAAAAQAAGhGNVFfK/AWv2rVj/PMnIr/QgZoRoK/SV8D0/2A2CIrS/8phdp9R/KzwiiNa9UPaAACcCkAa/aAQ"
     "AIBAPxAAoN/dAKEAPM/9/ZARQK/BAK"},
    StoredTrees{3, 2, 3, 3,
     "Aav0ABAAAAAAAAAABoEY1VFXyr8AGqlq9Xf/LzJcir/QAHah1oKv9JV8r0f9EAZCKqcq/KNavVA9qAAAnAKVRr/ag2"
     "A/M8yxKMAEP2oBAAAAAAAAAAKAH99AKhAA8w/9P2cBGQK/wUAq"},
    StoredTrees{3, 2, 3, 4,
     "Aaq/aiAaiAKAADMADMgDV2rV2BVEKqfAA/zMmqqlqm1gH/MPElBIqCAA0IBX/dfAFVIKq/Ac/0M/0AA2qiIETDV/Kq"
     "YD/Wl93a+/M8BFxiqyFFF/auAaiAAAAMLAMHP2qg1X/VVAKmAQECiqPaq/QYPbVADVCKqFFN/dfZdS/ZfAKSlCifwI"
     "30AP2qb2qQEA/H1AKqdq21qu9HMrLArzAarAvaqiaiiQEpKq/AMCcL"},
    StoredTrees{3, 2, 4, 0,
     "auauaGvzzITI1P1B1dlRPzJy/3Q0v3gwgkiqNZpZZdqyqx/zPXrX0cPzAvEvAAGqFhVx/z/z1v3300qiIfCuQ8Q8/b"
     "oyKuimf//fq2oDRSfzvbtZqWiwjABZd1XXqWAwMwMwb3dVdVtxrzhVq2q2g0/zlH/L"},
    StoredTrees{3, 2, 4, 1,
     "Ft2Wp9T/z88jLwpVo9cwUqiivIBw399vXZF1xf8eYJ/24Ni/bgA4JNKmqtqtb/XLyByz8fAACQf/XryKQr/D39z1ep"
     "WqyoAgbJ/9yEWPXqyLUBfzf32xH/TswKsiWV1a9XFVtVxf8v/zbb2/fQ0vy6QVsraqv9MPTsQXMlfD2rtq4WGly78u"
     "Dw29RbWXVvxyAeSK"},
    StoredTrees{3, 2, 4, 2,
     "/2uDUP9rAAMKcgqmpDeENob2hSr/A4MwZa79r6mG/xczJCgo/98/2wDYCSmvSf/LA0QYRVh1XCX/K/8L2/UWadVt/z"
     "8IngisVBX/awdTJip1wV/Dv9ehVK9XoCjSBj8LrWeLVY9XiSiLKIVV1hJW9f0H/yfAJ8Iq"},
    StoredTrees{3, 2, 4, 3,
     "A/RjQVP3XABUCCmwCor9Hg9khNHhiq1cDP8zZheZmrd2B/w/MBcKKsAGoGPaGjaEAQPzb/yjP2rg1Q/2rACgAkyCpW"
     "aatdah3YPvzLwKrwvytapr03oEVsCpXwD/zDBAA/QPP2nACECDEDCo/2D/0HAE1AAlDypX/z//T/9bA1YCCprAp/8D"
     "r0Hi3ViFVSCp/yjAcAr23hEmhkGpSp/wDhEpGAC3fd3/dvyTyKqy/w"},
    StoredTrees{3, 2, 4, 4,
     "AA9EkD2RWpV1SpbfILP8s82arYZqtj0AvPzA8AlIQip6/93//3f4DdThi1uGymr/Kufat5lsmP9quAiCJJcA0qwbVj"
     "9tWF9dZr2/yf4wqwivDC/2r5Japtl1H3SUf/KjoFVB/2q4oUygNqiKAgirLGJQqm/3X//1f4mXXiSpalypv/Iup/9e"
     "mDV9/9f3Sq7TKgv/8P1ZXX/avg9w/oiq7SAuP8y8/9q5an21YdZVh13/Krv8vM1/099Nb3Wln/Sr4pKqpcwj/9DyQE"
     "EP9a+xSQ7HKWv/KuNldWtqrrGskoyxTfClv/Ku/9X+01161Xf/yq4jwOxJA7"},
    StoredTrees{3, 3, 0, 4,
     "AAQEauAABJKiCCNZpVh1KuAMMMMMF1a+QUP/HzPzFV1NXT33KOggwwyqaOdAZ+KqyqVVaqr3EEamAMcA/DjzNB/fDZ"
     "DVKqAAMCD3Z+RhBxKSCiBBGi2qGCL/AECqEA/TAYtXFfKioAAg"},
    StoredTrees{3, 3, 1, 3,
     "ACAdpAUKgBCoT3fV9z/DF8bwgG2bRipyfKsoWvQxoAEMsQaUaNg2PyokCjIMAEqQBCoBAEysNpGtbCCDIK/wPSBdrA"
     "AQDwDAGXRxmCsJwrFM0NaFrRPI0T/M"},
    StoredTrees{3, 3, 1, 4,
     "DQA1uVXSqkIpIgzMAWhlYXauiALMBXAaTQP2ypoEQz/wlUKqwLAqBPTT3Xy/wfMHzCsgagmoZimxVQqoVEKig03RdH"
     "XZiqkK7yI8yAYTEH5auwAMwAMLCiga/2abW+yMCV0quwVQ9rtb4WiS9cLWC2yqgAACqrdCCX0HfBVyqg1WZvfamyjh"
     "AC/Dl8w"},
    StoredTrees{3, 3, 2, 2,
     "NrEPaAgXCsGwrVpWNUXyoIggW/aNj88JAoKwACgfdAoQTyPI9tH0Y8IBwLxsAAAb9opwfJ8oTT1hW8vME0SgRr0PQA"
     "ogRKbERj2vcAoiKQaQoH9Q1AqAv0vw"},
    StoredTrees{3, 3, 2, 3,
     "D9o191AqFIKAPwGq2o2A8wCTCjIDAAABP1A1AqAl8qRr9Q9rAAIwRwaV/aaaYaUt8NgKgqa9VvZP8vzMScSspF/VjV"
     "oqcM8MhKAA9qBQAgEAEAPAPQ9TNcAYAlMqGA9r9ABCAgkK/AV8"},
    StoredTrees{3, 3, 2, 4,
     "Bvf2rgaGAcgCxALIAVUa0RjRnN+8r4JcQqyIzA/QxpomHdQt3yrjAY8qIBqoEEySSoqpwAvAP8w8//fartMAcsBcxP"
     "yqvKo9V1GovaqAAgHCysLFwEAADQDD22ATQB1UKq8AABpL3WAdfA1sCrgMMAkggPWW1fTVAqogphCI/Mg/ff9d41lg"
     "qqAqoCqmyQ//f1ffauAoKAwPDEAKo2oKaptgE8w/CooFBirIVar13fX3EvcyqkUAagA"},
    StoredTrees{3, 3, 3, 1,
     "AAjf1AEQhz/IFp2GY/MyQKCc/0/aNqInC8Dwfb9g2ACQnwVUADa1jUL8JQ/wqGof1JIM4ywIPSBT1ALJMo/w/2PT1A"
     "IAgUigf/WvYrB0fyYI/TVz0rBQfF8o"},
    StoredTrees{3, 3, 3, 2,
     "AA/aPQAICwAQCgWv2P3P/PMrMnIrD0P2Q2SI/DoC/A/a/QAaAAEMPMJVRD9krVpKrCVAfwAAkB/dAFCKEBPKphdp9h"
     "TK8EAoiMPYgR/RAJBRChDyPYoR/RAKBQDwHw/92pGBEKfB/KAA"},
    StoredTrees{3, 3, 3, 3,
     "Aav1A9qAAATAJwCsAr/f9lDRSKlwX8qgCgdr/ag2A/L/MwycIrAAACAH91AFQiocl/Kg/UD2oBAAIKAr0Iv8gGall/"
     "df/NzJcCrCVwRAPbatVpKtyhTQf8AD9KAX91AKgUAKAPwAPaoEH9KAIAUgPAF8Q/0xpBYaUIPw2kKXwA"},
    StoredTrees{3, 3, 3, 4,
     "ABB/auPTAABAACCAQACgA2q22I+UI+/C9BNdKJ1KKqgN32tXmNXkKqfAg/ww/zw/0AbUYYXVQHV/KqAIQDyiBa29Y8"
     "/aiAADAMDIMDAFRar/Vqu9qO/LJ8lRAqqCwAAAEIAE/dfANTiKi/AM/AMEai/QMPaiAAAATACnAALAPWqQ2+/WiAIA"
     "ICyFAkPyqPf3/V9AaiAIAFyCPwIFcH/XdAbRARZoKq9AI/QDPzD9qChqmxAE/MP0MykFxsqy/2O/2iA2qiKG9AVLKq"
     "AbwYAM2qi/YM1D1vDXQKmTKq"},
    StoredTrees{3, 3, 4, 0,
     "33H3oE/ztBrzRxt1d11VqiIuwnyqAENFdZdx/zYx/zauauaGvzsgsgcw/boYqWgwjAjwhm2uGq3TmxPzFdKu/3I0P3"
     "zwzHyqmJf3Q0/3qwqAVEfLR9/fCSnxKSKiTw2u1jlnlyvzthPzT3QUqWswMIMIIWq2H3v3gDAuwnyqvbqWoULxVB/D"
     "mJ3T3ZVdpRjzKi/z"},
    StoredTrees{3, 3, 4, 1,
     "2DT9M/bDwBygpgm8Q/94QeG1hiQ8srCAwAAAKgYjUqiisKBE/ywaav3Opmpy1QH8zZMQP2wFT/XMCDIwyM/xw2rtq5"
     "WNXR/8snB/ww/1wZclW/zzQE/DEHAf99PX/XyycxdKmcyA3az9s/fAzxBcgrlZg39xWc/XDxAiTMUyqgVvd/fR0vy6"
     "sipImxA1b/9cCUqykATUl/Kw1nRbU9XPy8XPPzy8Qq9ivUoV3yd8PVD/8w29Vmn9Tzy6MqjKksg"},
    StoredTrees{3, 3, 4, 2,
     "/aut16NVsCn/QwVBn8cWa3drdmN/z8AnDCsIs4AGj/Yw93ADQIKBsgPwMFNcU9lY2VSX/NwA0/ysr0ePV4NmiClVwf"
     "/LCXEf1dDaP9zADMCMkJySpYoDSL1YgVpimnSa/Lv8spgWN14NXgCrcNT8rAAAr9eBVP9XACsIcgqiBUE/9//2wPYC"
     "CkP0w/RD/Mr9eH1od2hCrXB9/L//M3QcZBRtpFAF/M/8zlyIFtLW99XV/yvANMCoyCgP9N3Vf1XKxU8KwyTBKI"},
    StoredTrees{3, 3, 4, 3,
     "varhVI/2rACACXACrCBTBaEBWPZVgRVRZfyT/QfgyooAEj9ng9EiCp3QB38r//zZmudmp10B/zTMBcMKsIle/QDpTW"
     "p9WBBXPxXDyXACoGBB19t199/x/wL0wKoy/w/1Tr2noEFoCp/wjpQJn8rr/XiHV/2XACoAigCXICry/9T09YP1bACr"
     "AAmEiKPzDv2rgVQW3WUCU/yn/SrP8HlVUP1XCFWAClzwHwAEzyrNAFP9HS91SClXyr/wr/wDQAF/0XCmqGABGSxWxx"
     "fyzoA0h92hB3hiqp0rX8j/8zlaq3ajPYDyyivMzjJXhKq"},
    StoredTrees{3, 3, 4, 4,
     "b29/QSpv91/MSoIryosv9DyWcEAAAD/2riPdBKy2nQHUdwqe/8q4o91Nqv29YaaVSp5/ALP/CM/8M82GrrQaLlNMM/"
     "wzwgLMMAcgwKckYA/NgB8f2r+AzM4gsxiil5KKroahdn/aropwbxTBLKcG8qwrlyEY/932BnUY9fdhCZmnynr3Kul8"
     "qYAABAkAHD2/fLS9fdClv0sv/yr41l3kX3adQdtVyq7fNjf89PhF8M1bX/9tX/91fIxV0CKmiJwoKrDgmqqq/b36Br"
     "epiN+3SpqdMX/8y8a3fTWZ9JZlXvzV+w1UbCqSssyAYGqL/bDApqqiygaJTBE9MsS8zg2aqrZiBtkA0FyyT/DLNWKi"
     "//88339//Z/SpqqECk0hyjirDIm8JQ"},
    StoredTrees{3, 4, 0, 4,
     "Nb/3DXAcDxCBDzAYDxUMaiQMIMgAwAVRamiCAA/fBZBVKqBdKuCqKuGq2qEAL/CmMIMAEPMIr3AEamIMwAfL/DhF/L"
     "N31XVfKqAMCmyqwSCqNZrXAUP/HzPzPzAAEAD3R+aqAACCDTKSBxBRAA/3aqAAAAMANAPzMAAA/3amAIBRKiDzPzJR"
     "N1tFJlB9KCAwAwMAAAGCWOW+L/BFCqKqGAAV/TNYtXFfKiEAPzDzPz3fUQ33KuAAgAoADIwAaGQEauAAcI/H/HaqTH"},
    StoredTrees{3, 4, 1, 3,
     "UPQxoAFcvxfFqhy90nWdy8PCcLxZSsAAqgASrJ0qyrKkldfVtXCjynM8Rq/Ib9t13z8nCoKhvBQ2sUNrBCIJQ/BYLw"
     "92mbRyUKhXKsmSrW/a9oCHCoilJpcgVr2xaCpAfK8rwEKgGAf9irKsFyqAUq"},
    StoredTrees{3, 4, 1, 4,
     "GotAwQEApgAgBVCpgqoKqamWt933y/0PPzzp82przz13/ZoUYiqvQC0g/05XG0gTRN34VyClgqoKmCqogQJVG99K4a"
     "GABAAgMMDDBV0MMD9yqYAECqgAYAKACsw8AKgBIAT/3CqgFUKqyFQKrKmGQdE0amBBAggfDPww8M/D2jtEIauABBwg"
     "/DPwwkEfD00d/c/3CqgAjyA8wDMBCAN9Ub3auCAAMBDA8iv8PzARrtaLW+CcYrKMwVUWqKMw93QdWHVSpsqrCyMpnK"
     "rBxR/2r5dtymjK4VdKrrFUqugRKHdtXz/yXAqyKsivMlx"},
    StoredTrees{3, 4, 2, 2,
     "rWhf18qcvx/IFpxdr3PaMAHCsKVqicABD2s89xfK8rwEBX/a9h8oJwrCsZwXd33TdsVCslCpK8qaFoWFUrwFB8qCfK"
     "GmQVX8vAZS/D8fyfZFvW8s8KwVxrLwff9oVop3PYpifKc9k2vQAgsBQKzGSo"},
    StoredTrees{3, 4, 2, 3,
     "AB9rBAAAAAAAAAAAAAWj2P2P8vCryVyqWLyq9pBB9BAqLCNKpKvxNBD9apYBUd8qQC8D8z8DWn9GtFoqkKvKVUarvK"
     "NqxA9rAABwKyKwBhByPQgZ9RAqAABAKyA8KAAB0DNoAAAAAAAAAAAAAB9rBQAgAAAAAAAAAAAA9TBaAgAFAqArAKAE"
     "Pd9fBYAgAMHMPMHEPMpd/ZDRAqAAPBPKBYHKQB93B2AmQq8H8paqQqQ/2rEA8zwcCsCsAMBc"},
    StoredTrees{3, 4, 2, 4,
     "QBD92TXVAdUCqgKSQDDysgKi2oKQBJam8r7Mog1BK8MZcSnDo3dqZWB1UqrwDFSm/Kq8JPyqRqL3D/aiAAsDBwcLKV"
     "VqqisHaoJartAM8MwBccqyirJqssVx9XUGpvQMAqJQBPyq/KoWUVwEGoJafXa+8rBw0PHcAqr88PHc//d2vvaiAoIE"
     "yCjIKshyxCTIap73GzcfAlkCrhQI/AwnCPQAPfWFhf31AqoCAgQDnMv8w/QDaq73S/dPAkOCkvKq8bYCqlEUVar1vv"
     "WuAgAgor0AV8tpw70AA3cD97amgqqAqkAK8w/zD/IP/Y79ggWqIqKQCJyqdKb8yJyq//faptoP8wvKoolJyoKwVIqK"},
    StoredTrees{3, 4, 3, 1,
     "D3QT1AIDAkCgMQoABa1jVP87yvL8Jylr2KdrJS3JQr/HK/YFvU/NwfK8uSXKdvWjYrGglK8pm/J/39wEgIkCwKAACA"
     "D3QT1AIFA8DwHAcD3QT1AIMAUDwPA8Fb9D0AIFAoCgZgUEFg/0AAAxDPMczzQP9AGAAQDwVVqjwACoT1ALIMAwL/MA"
     "qEPQBqJ8kATL/Ew"},
    StoredTrees{3, 4, 3, 2,
     "/3AW/WAIACBT/zGyDzRa/UrVpKXK/EkJaqPK/9/1AFDKoEoo0ovxoU9r9DBaDA8sAICKBsAA/3WkWGUI/KQA/AJMfA"
     "XQ/dAdAFAKEJfNWK0KWqVo9grCks8MAk8o8I9apa/QAKBwDy/wCZBSa92q/aAIBICsysnJAcdBRB/ZABACBQygsxCg"
     "QP/U/aAICQCgpSanDwAFpF/VAKABUKfK/G/B/dDZ9f/PIrAnArApArph/1D1CKKE/F0K/8XF"},
    StoredTrees{3, 4, 3, 3,
     "/9AAb92AKwUsKD/ww8IFDAAFoNYaUEPyVQq/BfypclWq/aMGArDJIjwzAknKvwj/aQ0r9qAIAMAFAysIGUPAoAf9kA"
     "RDKqBKii0oP8OhS9rUY9EP/L/JwAsCLAZwAM/1C92vZpKlyj8QgIZZI8g3/T2r9oAKQyoEF/KhsAoq9AwQT9rAAADA"
     "Aw9PQyoAw9agWD9KAIAQgPMyjIIoFMP0KBn9RAKgoAFIryv/wKIRav3UB1ANQCoPwVcGrH/w/XT2ktRAKjChQCfyv/"
     "z8BGqtaj0w/MyKsCTApwKsCr/9f9UPVCKihz8c0KL/FcU"},
    StoredTrees{3, 4, 3, 4,
     "Aai/QMAaiAAAADAADAADAADAADA/3dGnRmHV1KqPNx/FVAKqVEA/JVVYM/SipQIrKq0wI0wgUVxcqy0wg2qulqm9AE"
     "/MPIMPAlNIqOAgMAlNAaqPdT/dXAFVAKqAAUACq/BAACq/2OYWCb2qQIA/CuVwE/wKDwD/wIHVBfaO/aiAAAAcDCsD"
     "CsDGYDAcDAAA/auAQAAAAAAUAKqANXAKqAAUP2qgGm/UEAKqAAAASCCgMADPCiKfaO/XZ/bdADRIKiIAAFQAasNIAA"
     "9D3BBV/auAIAiCCgAAyAAxDAgAA/33/W+AWiAIAVCy/ww/wgjwVVwwgN3/13AF3CKqDNBAFJiKW/yqDJBRqC1g81s8"
     "/M8AFxAqyiqyxgwAVxb/3dqm9kMjLE0qqklJ0qCfyGkqK"},
    StoredTrees{3, 4, 4, 0,
     "/3vXw0gAgLwViqlliqYM2q1hXT/zrRqRTzqRf//fa1qyFNKGXHaqBEauauRMvzoCVJVJ/z/Lg1IVqWswMMMMKMKeMM"
     "/XIYPXzwVB/D1xfzVBBDJHJnpzDzFRKi/zKivXK2f3gwqAXM3PvLXM/3YE33kykikjEjfzkj/3Z2V3qyoIsEsIcwoE"
     "dZ/fqWjziIjIrIawiIf3/Xj3AwzEyqxVaqym3d3T0Y3zvzpRjzGZrzq2D3QEpjKSiiiiMwyS/fLZLZtRLzzzyWyqxB"},
    StoredTrees{3, 4, 4, 1,
     "D19NQ/XACADAKSCrgZkKiAAGqZqGQBP8ukJ/S//MPDVad2P9j/z1yf8r/K2W5cnD99DQ/XACAQ0vPNyT/MENqpg/eo"
     "2KigAQpGqRv8sBEQ2P9sDQAAKIgyAVVWqqiI1j9Y3WdlST8coGKyoDArGmqv9OAUACAAAoABQD8MoAAEKtb/XACAAA"
     "gAEgy/MwAla/9ePXACAgIpCAwBYIrCP9/9coaACAAAhwMcBPEDwP9/9sAUACDEAzxP0xfExx/az9OIWACCAAEBPw5E"
     "QkBB9f9cAUACMlDKiyosmXKS3XT1MBUgyCgpcH/Jxin8r"},
    StoredTrees{3, 4, 4, 2,
     "r/ev16AVpiV1CXfN/0//y3ZN2o5VQVqq/z8wKDAkKJYwqDAodP39qwtQDCgFTcqKV0lrzsFAAVDf3xfcvycFNF830z"
     "T/K/83rQWJBf9nLSgrLCpKKo6LxSqO/98amloe2iq/B//H/8uVkUVFZbZ1tXW1/xfAKMBQwKDBsICgpveGVoZWhiaP"
     "C60DpQX/y6UB3W8/2ytaKianyf/zt2F/8wfxf/dL1UhVRiX/CwXxJWH/8w/zdan/cz9zAisiQ8LywlZqqsLzaaVNBf"
     "3HAyo/TypOhkj/8ypK/3cDZP9LIAMgIgCzKrLLFgByZWf9f49oiCJQMP8jvyuGZpcgr9eAFI9XSyhMlEioSKj8S0gU"},
    StoredTrees{3, 4, 4, 3,
     "0AAPTbA3bACZHynPyrECo/8DPynmqq2o+Wqu/yDwMAwLAwJQwKowLA//T/9bABYKiqpQpr8Dr/HlVJpcBj9Ho9k/1n"
     "ACEKAoCCs2AcvynCCMP2rDWjA3DgCDQjCQjCUjG/yrQjCB21/UnA0FACpDIpBvRD/zBmWB/RaatZYFRYF/zPADMAFU"
     "KKqCYBAKodGh/WXA0rACBCUyCoyCoyy8xAEw/9PGpCWhe0CofwD/wD3/D//zXwD/2XPUnA0JACpD/TCXSyryyqWCrS"
     "dap/0HoEFoCFXwr//zVXxaqu//z/93P93K92YBV/yr1xDfyL//zVRDo/ViNVi9ViClXwr1cB/8rL/zn8rpgHRtGRhm"
     "RSG/wrXyDVRB//H/xDZ1GdWp/WvKwyPJXPKrDKtv/HPJf"},
    StoredTrees{3, 4, 4, 4,
     "QA/P/RzQBqmAAAQPLDAgMIFUwRqjCA8MMv993/1nQAWRBiqqlCrqdKmr8q6WYGKdKm1lXnVqvj2AMCzDv8pPfyo+/K"
     "j4EoKPyU9AD1NoDV2bdXRT1f/KrlAhA/wMz/MvP8hMFat79g/EWD0/wP4AEwgCjCAFUEQqygAzC/2q4LQBD9quAAAQ"
     "KcCwqwLCrAsAZVQFwH/9Aw/3bQtdlCC2VfKrv8pe/yl4AKolQqiBhQX/arg9AMACAALAAAnAAC8oIG/BwvAAGaqr/d"
     "Dz90PADQ8DKXiLKqIsqo//DyLJa/93/anSxoZqECqY/ATg8DPBQMcPwzwMBGD9q6g2kv9QcACq4CwCAFAECoDgAHMw"
     "qAoX9g7/WrqBQUoCqbfCLNfMEf08xZzxN/MM1Gj7WbSRfdZFB1U/HXQ8ddACqIH/Cw8ddpDd//13w/XfKCqoFAhD/D"
     "M38o7//DwXCEWaqbdqhv2MM/xzwELAAxUNCKspJgtAyoO"},
    StoredTrees{4, 0, 0, 4,
     "KqPzDzBzDzDzVFZ9V9a+CwV9DbAYNZNRKqNZKeEWaWauEAaWvzPzoE3XI8r3KCAwCiAACuAA0A0Anzk0KunzKiIMAM"
     "CqAACuKyiALXNUP/LXKqAs2uGqJV2u"},
    StoredTrees{4, 0, 1, 3,
     "ADdx2GQKh2/1qmhYHM2hiGCYBjEKoBZFE0b2aKkbCoqmPW/BWvEb1vX1cKPXyvIxyNBKhyCrQtg30KtQCTJcl2sEsF"
     "PwrCMhjLys"},
    StoredTrees{4, 0, 1, 4,
     "yqgKaAH3D0QeAHNqvdn3dVVcq53ZD8yrIqy2rsAwqyXRV01Vt2vgqJZhgMIFPNbBW8q7NTyrsK50I9wIsj0Ma81XFq"
     "+VFMn1q+ilsjQZFlZYqoa2B1cdeXX2psq6VVSomoJoDYPsx5sL"},
    StoredTrees{4, 0, 2, 2,
     "Mn0gQBwBAQQNCFvW/z1vNCtf19UCj1oHwQJAGCgN/31zapECjaQX2qVBViqV8pFtW9dSdWMDw/L9oAPLGCSVF9cCl1"
     "PwrCsfTyys"},
    StoredTrees{4, 0, 2, 3,
     "MU9qBWBmAqBmD8KsKsdP8fKMMq8r8D9zAx8DGAUh0F9rAA2pFAvRfd9RAqfdoh8BA1AFgqA18rAqn8/cUkv8/99XNq"
     "pFAqNqQW92plBFYqpV/9aqWvWF8vWv"},
    StoredTrees{4, 0, 2, 4,
     "Avfwql3I9cwCyP3E8gwxVQaqJqIBCAaqYARzX31b9VqCqn1b2/OaspqmWBTyfZqm8poCG/AfsxdCqvIfBVGmprV19p"
     "YCqramnQT91T3VDdUiqh3VAEHyjqam9W0CorRVAqLwDPTM9NgAqvTEAqrypv0E9Q8CB30E//dqqmY8RhDzPmU88qoa"
     "oldA90CSildAAqIqsiqy9r7wXSqy"},
    StoredTrees{4, 0, 3, 1,
     "A39QFAUAgFQNA1z0K8FT3A/atq2YqtBgmTZVv8wZAVVn2/UAn2/L8fxDFUgBAK8gA/UAvyqGof1rUAv1VL9J0PZgD0"
     "AIqA8qD8b8"},
    StoredTrees{4, 0, 3, 2,
     "AB/aAaAaAAAaQLQwVr93/LVrAAqdqZ/RAKqV/A/L/NABVKABAK/UEYKYAFPY3Qf2f3/VmKa3A8KsKsVv/PAMBklZ9R"
     "/RAC9RqB/BAFqZAK/NUJ/R/R/TYK/R"},
    StoredTrees{4, 0, 3, 3,
     "GAPyv8j/agAD8DpgQbWmlphYyqmlQ30FpZfXWfyNZfFKn9x/Y/UBiV/c/FRmoVmPRlCgVWTf/1T9qqTWCo9qGKdykQ"
     "B/cwDDchvAYQEPdj0QCoPd/IKwE81IFYSoQ1DPCqwpcfb/x8ts"},
    StoredTrees{4, 0, 3, 4,
     "b1ZfXbRXf/UYIKifXT/Kq/AMjCGiSqVCGgCGFvztqyZq+VgU/F9Zq+DAAKqCKayKam/AMIVxoD1nKq/EM/XMILA/EM"
     "/FRDaqAV1oaWgKqgamGAEmAEkNl/V9AKqnNlYT//VRDam/WuYIAJamnAE/EEAX1L/3IKqL31/Kmp3E/3ED2KkIUf3E"
     "/Ku/0AAWqL0AIKqD2q9KmjNLQ1D/1DIKq/1D1Ki/3Nv3FgXJmKKj3F0P3EKqmIG3MH/MPmIG"},
    StoredTrees{4, 0, 4, 0,
     "/b/bRbbXqxZfPzqykwGiqSmiZVf3f1r1/zf1HznzHzoEpxkAAwA0Km10rzKmauZdb3X3rzf3AwKy0A/brz3z/zP1q1"
     "r3XzqFqy/3pmp3qipmPzLzAwX3owqiPTKyqiQ0qCAAtBpBhVqWAwpVAwKiadadqyfZ"},
    StoredTrees{4, 0, 4, 1,
     "3wf/cPXKlhgkPXACEAxmPVzf89mPFldZnWZ/2wADXZvyyrL/TqspUFTQ/b6mYZlHZb8sZl/y6kID0Kllgk/3qBj8cA"
     "Eq1gAgPHqyofUP3KlgAgP3qyWvV0V/1wgh313y/9OgQD11AqoS39z9eoWqlhgmoWWCf9OoSo2GgUAQ/S78MPHANAYk"
     "AEpSQ/cN1D1wYoNF"},
    StoredTrees{4, 0, 4, 2,
     "/yOrCj8DI3BEEQAAgChALFsd2B2/K1sdH/d9F31n/0cXKn1n1wH/36gWqlYZKavWQ1T/awZVB2VvKwZpPyOpCgPQ/1"
     "MQICvS/a+ptkWnVYX/K2WnagLUDB/Tv1cEKd/TGSnb0R/RP1MAJBgR1iGWCdc1/0cAKBc1qyb/BwMEq8YAKA8H3Se/"
     "SyhqAGgYAQBU19M/2yqaK9JWKj/TPTMPM2gi/wP/P0Mg"},
    StoredTrees{4, 0, 4, 3,
     "vwHhQFD93KlWgCoP93BYADaDKapVQN/y/Kah/yrDwDABQ/2zWAV/zTGwBWylXxN/3PADAWRN3yH/wH/wXAM0VQpEA0"
     "pgGhjWhzXD1XgCohzWADwACwFiyVQ9/x/Fiy3/Tv1XAFUDFUWCpAFUqAGqQ2AWkq0GACoKVWXRX/2rD1fCmqYCAD2r"
     "X3//1T/2rqlWVCq/2j3wBP9bq9Wg90GCpqBWpSrj9HD9HgBEBiqABEX9ff9fSdd/Z3lyqSdd"},
    StoredTrees{4, 0, 4, 4,
     "AAAD/QPABrCAGoIAAAABXB0D3MYKmlsCUVDPT/MzlsCUqwBilDVT/ddP910AKoj/dd/w03/Kvv8Q8A1yBULBAAQgAb"
     "8MBqwimrKNYMT/F/S2rO3yqZ/0HFbQU/1DwZIVGfQUpgBj/NXwA1Tq3VsAKov81fAAAD/QPABXBAGoIAAAABrCAAAD"
     "/QPABXBAGoIAAAABrCAAAD/VfQBqiAGqIAAAABqiQFVH/arqB/TAERBgKoqBEQGAATYKph/9HP2k4AAwBv9HVgBnWK"
     "mhXQfP1C9gIAxUQf1dAw/2rv9auqlBiWKqv9Q8ByAAPwHFbb6V/9f/KrlYb6"},
    StoredTrees{4, 1, 0, 4,
     "P3KmgEPXDfAwqmAAQMWqWCI8CiWiEYaadQZYBUKqZcpVvXrXh0KOyq/Xa+Q8U8ZfP/VVa+AENEZldtFdKuVl2u2i2O"
     "33IMvz2uD3V9aaYUD/BBaaAAKqKqa+CiAAAAAAKqAAauAIDzKqNBNZNZF1KqMANZ"},
    StoredTrees{4, 1, 1, 3,
     "mmUZp1EKhnmEP0vS1g3P88DUAVB3W1cKwJdc9o2vYFWKrKNoAAqgA28CMiKoaBg2PdrKiAa8W/Z932hI8X3QWvURhH"
     "UJQqGk1caB2lUJUq3cAAqmqYfFsqUA"},
    StoredTrees{4, 1, 1, 4,
     "W/9N1Zd2qsj4pRVXQAACqoAAl1YqrKiKqga/0F1qaV1c//HzY2w92fZn3dFmcpZKq93QWptaaUE1vgqKxAlpggBITS"
     "2mlRsr7CuphgBddr7dhnZUnXKq3bQDQS1ktZRWcq7AKDWQAACqrau1PMv/KqUAA/9yqZqGUFMqbKqZNQ9ridFndd9c"
     "rXKqZ2QYAEqpAAWrsIrPzargagmUxr3apsT3KiatgUXVPdY02V8v+SmWpgGgh0bV+WosgzMJ2fg"},
    StoredTrees{4, 1, 2, 2,
     "2scxrFPzzMFM/Wta1/Wyl8oU1r3PaNjAlV9QP0qQBWnTfKK0Q9D1f1+yLCa8PYpkU1eyMrfYAAqiqNohPKAA9oGgU1"
     "fS/z9oqGYdN90TSK30AAqmmYZivMacr2adRm2yv8mkAAqj0jWivMHY"},
    StoredTrees{4, 1, 2, 3,
     "9q9qNQ9rIARx9qAEK1K1hVop8qAVd/ffffTf8vkKQf2rWo1B2h8zCc2hQDQDf2Y2YX8rf2pppR9pNRoq/H9h/b/aTb"
     "9ZAqIifbAAKqYaVQct8qaQD0KtmtlNsqwqlNAAKqAA99kh8qKq"},
    StoredTrees{4, 1, 2, 4,
     "AAAqqmNTa1dSVvKqa1s1qb1SfauNgCgqlYyFoIaP9qvlQ83aryPPBxWr4/d390QHZtVWiqpKy/d00AxaotoE1AfzB/"
     "Kq2AQABgoGP3ZTd3ymfKuQdEg3eDV2tXUVVyqvIKa1cD/cqphQEdqZQBvML2qYAAAqqgGqdaZRRPKqKQAAXUWpjVF9"
     "t/yrsyU9qYAAA9qimi1X7yVvKqAaoEEFqjmqu9q4AgCLIVX0AAQqhpqmWgTyqsKqkBQGqKappAElwTyzAlxkgQ"},
    StoredTrees{4, 1, 3, 1,
     "P2Pal/UAiQqUVr3NaFj88yVQAAqgAvbAPwKoAAgf2DWwfyjY/b9kX9esHFfc/2qY9o0khyo0AAqlrWNQvwUMqEPaBv"
     "WAgsP00PaxhGkQbyGkAAqha/Wovw9g9tWvUdVMvL9o"},
    StoredTrees{4, 1, 3, 2,
     "9a/UAY/WwKSV/aAQJpBBZ1TJ/KJ9WrWDVT9v/PAsVrv1j1oV/VwKlCr1PVJa/QDa1E/KjQDaP2D2AFiJ/KA2ANKtWt"
     "2FEK/I2F0B0DGa/YADLLGUANKlKN/dAJ/KKtpphp9pphrK8ztR"},
    StoredTrees{4, 1, 3, 3,
     "ZA0hBBk/agCCIxfagv1f9WPVgFYiqXKg1QBXSap2jRgWzL8XRQwABCo0P1qNUBX8qJNQWr1g9VP9b/w8MsVrw9av2j"
     "9qDULCpxkTUAA9CrYoWrVXCr8oKlgv0Y9GgZ/UQCosor2QoaSP0YVn1RCn8qmlQAESWodA2WhSj8x/aApoaan0BBsa"
     "yryL9IQ"},
    StoredTrees{4, 1, 3, 4,
     "AGq/2qAUAr22AIF/Kq/2qZr/dqiRQO9sD/MPAsxRoLAAYKgYGtbGNbEFT/KuGNbFam/VFAamAZEACmAKKAaGoD1g3V"
     "2HVm3VkKq/Cq2nVNr39quZqAZHITLA/FAZDAaquWqiVYO/auBMDLMHVYPABA/auARBAaiADAALAAaiP0AhE0jWGjW2"
     "AIF/KqDX3/U19au9WqPUAwKqSQQ9UAoAEqEE/3VjXVMKVMKqAXVANTKtbKFbP1boKq/AAKlbGq22I81q+9A8DP3DKq"
     "1U8Bq2tqmloE1qG/M+DJxlqG/0M/2iD0EA2miIFlyqA2m"},
    StoredTrees{4, 1, 4, 0,
     "2uHRHVmVlxfzmVauauaOaeqiKuauAAL3gEb3Uw/zr3D3oU/XAU/zxVqWBjpbpbtVpxLzpb1t3X0U1ZrzsI3Xq2qWqW"
     "qWgwAzgUAAKqaqRHpy/zQAAAaqWC1WlzPzWqAAKqAArV1R/zKqBZhRtZpVqyLztZ1vH3n3o0mCfzk0AAaqWqVhlx/z"
     "WCvbYUZVfXozlmdVdNdNdtpVNxvzdt"},
    StoredTrees{4, 1, 4, 1,
     "P9w9cAUqlhAn/D/1wRjEYB1pdYf89jAdUQP94PSqm/1wAjLwq9gAACqraq2hhAn/DEAA/1wFj/bA1KgpWSR2QGad2H"
     "Zh3Wz8P8vGaQD9yqYAEK1gAn/DKpgqBqvYQEH1xAm/LGpghVD9cPXK1gAU/LAVAG9t/cQUv1wAvCCH9wD09t1Yd29R"
     "Qn/DW3Q/9y/f/3AFKooFBoBQAGCRNmTVnVUn/HRkwQAP2sdDJQSclvLLQw"},
    StoredTrees{4, 1, 4, 2,
     "qAar9hvWG9YQJf8rGRYQaxBrH2vdY3/PwCcfU8/UMPawVp/2MABCJK/0MoDSP14/Xg9SIKb/zgBQFgKWN9VF/bcbNv"
     "8rFaUr9f/1yPUKFYqKgXJD9cP1cBZP9HBmulIf8zD0cD/eV9b03v2cAJ8YqvfcR2n/U6lmq1YAJGYpqWYao79A6U1v"
     "2fAKMkorTcBWgvayBgoEWgKf8HAGgP/cr9gP0KhYAFf8rKRY/98/2wgZC1kIKR8LC9koASE90ZWR9ZEKv8DRvYmYUd"
     "pRmFPbcrJgAoGfU"},
    StoredTrees{4, 1, 4, 3,
     "qqGqpm/9HqpWtilvyrVVlRasRYgVYD/bDwzAgxUVaD/WrV1R/2r/2vDwAKXE/2rZgB/9rA9AKlqKiChypP9r/9voNk"
     "ptFptVpipnzzptl1fd/f3oR2P33wCnQiqof22AFVENVtlVt9/y/AysVtlBDTJTbB9XJN3Dyr/yzJ9XAAAKqqaqm/an"
     "JSH/wrQAEoa1g91hFVjVXgyqgfHh9Vq/2/93/9HAF01i3/yrgNkZNuRvfRvfRheTyb/yjRhfaleaaqZRCZWqZyz/yz"
     "ZaqplUhmnhm3jX3iyojKrh2nvar/ar2apGUB3xt/yv2UB"},
    StoredTrees{4, 1, 4, 4,
     "r213/3XQAZRj1V2JKoof/DD9l0WqrrdqttmA32XDe/ML/yx+2UDcAAGAqgaNA1y2nXvZFe/8q+2rXoa2qZ2VBXdqmd"
     "2QX/C/oLBSd2gYv9h7/1Hg/VfAFVEqJWZkqmANVMdVfX/argVAEv2q7CAAolwb/UAw/ar4pqpilMkKayR3LBP8XNKa"
     "yQdgAR/2vkbd5Rt1lGJWf8quRt3kAP9Mo2mioaa/1DymGzv8l9KppoADUMqta9q1r2jWsaKqv8qO0DWI/93+Bn062a"
     "e/118iKoivPDrRp4BZV0lKqgVENp2Z2mKrv8w8JWq4ZavpFo/GVT8TWr7/MPAIsoRav41j9/9G/v2TMD1Y2wFgVIrK"
     "hZoYBlRElqGmWqaZQPz/Nfv8rORYFw"},
    StoredTrees{4, 2, 0, 4,
     "P3oUD3PXAcDTAwP3NAV+VyV+KqAECqVyAA/f/fPbBVKqAABZD3auaCYACCAABAQAaCWqWqUAL/UAfzWioFt1pFh1KO"
     "yigAN1Gq2qEAGaL/BdKuGqNZrXpXP3AMDzAABXAAgENlJlB9KCCiNlP33XFVauAAMIMBFVAA/fBVaWDdKiAApVF1a+"
     "Y8T1P/AAFVa+/TAYDbtXFXKmKq/b2uGi2q33IMjzwA0M"},
    StoredTrees{4, 2, 1, 3,
     "2vQJp1EKiqFSZQAAqgAmlBcqwoqgYVh2lYXKiTKNtw9r2vaNqKoJgr2gT3fV92nI3C8FfQP3a933QFgnCnVAAEqSpD"
     "UKQqysAQgGAd12kKsrCqZQ2vQ1g2sIJwfDawAAqlPW/P8czxqA"},
    StoredTrees{4, 2, 1, 4,
     "AQNqodhGZQHUNlCqh3ElRZveT3018r4zzm85Pc93fdH3dNmYqpCI8wPd0AACqoqqDdA3cNlyqgAAQ/2NFFV2rgsCTA"
     "YVXVUammp5gYbX8/8ldKrmpoGNNTzai1PAqYAEDCNr4AANDUX1GtQEUN1CqhoUBota4WmFBQrUNlCqhfcGUdLYWGF9"
     "QrUD1CqhaYDQN0wdbFVQqYBkCqh1sGqt0DZ82oggQMEBSRmAAACqoAAv9wrYCmyqiqo/99qqQEnRkpbKqwDNoYT/0V"
     "lqeYGMVnKWCqn98"},
    StoredTrees{4, 2, 2, 2,
     "9r2jY9oCCcKX2goFqWtY1CfKgpjQWPaNg2Yygkihag/RtkW/UChAPB9gA1D3f1/z8E8xXwAAqv2gWinA8ABApGkaV9"
     "USjHIulQAAqgANmASJ8oqg9omPaNTCryVAUAAEqWNb1CfJ8poQA1qlqVDxjLKdUw"},
    StoredTrees{4, 2, 2, 3,
     "AAD9I191AVAp8qK1W/WvWP1v8vPMKsWv9q9oBqBgAnKrVVBg/TLa/WgV0q8jiyTWgBoB91NVoqsCsqploBj1hV9VAq"
     "FBPK/VNA9rBQ9qAAFyKwBoPQ/dhZjRApQp8qBR/0CVBl9VApIqLA9lAAKqQQdaQo8K8AaaAAKqaHYXQn8m8qQ3AGKm"
     "2k2Gc3yWyr0H"},
    StoredTrees{4, 2, 2, 4,
     "ABBAHHdT91cDVwKmMqp3UwPQD9qgWqBQACqgCG/MsNAA2qaahtQEF0fzX4lRiqKahg0019YWF1fWVSqvMMgwtpVQEa"
     "r92w3Z9dkClSKq8Az92QQPf2rjVB9qYCiAXIKlH2rgao5sAFq+2DzyvgwwLDJUPAoASEBL/3//cCqgKU/Kq/9wGoL0"
     "PAcUBqYABwMHMqoHNA9q4VSfauNATCqoCqVQA2ggAPUq1SDV9t0CooGA8sQqlQ2V3WohUM9d8CklSi/EEVDA/9NrV2"
     "tXYVVCpvKqAqpjVwAAAqqv0AhXeiqnAk8KoBqgAPcqpramjQTx3cJRyq70BA"},
    StoredTrees{4, 2, 3, 1,
     "/0PYFqUAjcPw/Q2ta1jWtQvyjJawlrUNaNi8gxCIVAVt9H3RT83J8pFw/X9ql/UAgnSqpQAYhf2PWopC/FFgqGoT9A"
     "WkixAIBQvU9QVrUATCFb9QAAqkA/YAMC/BqwAAqhqGAQjw/AQA90GnU938igIP2g"},
    StoredTrees{4, 2, 3, 2,
     "gaoRDRrRAJKBPK/RtqVrdz9r/PMnIrdz/3P2D2A2BJrCvyA2b9WtWNWdUKfK/8WpBV/aha/QAKCQCl9YAAKhBtPVAF"
     "XK/CNNWr2B1hNa/AzMyKFp/1j12lmF0KPABs0FAatUpZrRoKfK/8pZAAKhKF/XANDJ/KA1/aJa/UDdoJ/KVcDaoB/1"
     "A1CFiKdx/yD1aNaNdpVRXJ/FAKZR"},
    StoredTrees{4, 2, 3, 3,
     "AAP9uhZ/UQCoBBCsv9EWr9q9WP93/y/HMyzFa8AACoYP2L9gCYcN/KiBY/agUD9qPdICUApFKg0A3/RqlYBXalAD8w"
     "PMdqkP2P9oPQgGYiGkK/ygNoAACA0qRGPZQF89/Kj90mqv2s9IvQcCqIBPKgEA9dw3T9ljRbCqwBsqqFU/UDWoFgjT"
     "cCqABcqgWg/0A9raa2GhCk8VAKhBoAACoE01P1QBUMq/CgbU/aj1QNorQaCr/8GVP2ooAZqmWplgVyr0AjCtUE9rXa"
     "r1ABQPzMyTIp/UA"},
    StoredTrees{4, 2, 3, 4,
     "Nam9VNBaiDdCAN3AKq//DBaC2AAlqmlTE1bE/DMBFxiqylaEANXKtXBFV/VdAKiIIC/ML/1V2gAGhY0NbXZdUFVfKm"
     "/yqWtb/0M/2ij0EQGmSIEVym/yqg2mFVFPaqKaGbaqQHI/LI/FBLaGdqORqiZoMZQP3MP/KuL/LZAMmXVNXV9XVPXV"
     "gKmIEksKqdXV/auJULPZF/auwIIycDSsD/amf0MT2qWmCWFbUJZfKu/AMUGqAGqIGq/2qD1AoKq9AA/DARUAf08b0R"
     "QHd/XdAJRvKigKWT3dA/3Kqm9qmRE8/K+fCi/BwREEvaG0UEmUUnVX1KqPKSFSi2UUaqqWq+Vg8dqi/LIElBIqCVq+"},
    StoredTrees{4, 2, 4, 0,
     "DTJY/XAYqyoz/zjbauauaOf3gwAkCqauqGNFNldlpxjz/zNl/TqWAUqV/zqAlIqWl13333EUqyVA/D00AAKqWq3TVx"
     "/z/z0AR1Rld1pVqiKeymdlAAoYpZqWjzDwKyrbtZrXqWqWgwMIMsAUD3amamaGvzADwRYE33H30UqWDwjARyH32u2q"
     "0AVfVzfz/z2q3f2R3dXdlR/zhy3dAAKqAAf3gAxB/zKq"},
    StoredTrees{4, 2, 4, 1,
     "b90DRam2Rh8s/LP81oYXT/0P9rAQKsoAAmCX2MAACqahE/1yAgyN/y4/cRV/9dBU/16Yi1Ab80FQGaVmnZB1Zf88PI"
     "CzNmEqNgTaGHNlackvLAwKbcf2/1epWqVqMgoKYFalYD92/dgV/1wMtQX/K2vY/14BhEZ/268CoIFQmpoBg4bVWF/V"
     "78sAzwstfUoZS/f/XAFP8skpLM0BQ3a5kHZh2TZcU/LBAtmkGotq7YOVlV0v/D/89q4D96kYDU/1wMjMUyqv9cAACq"
     "YP3INKoqnK/yyAU"},
    StoredTrees{4, 2, 4, 2,
     "//f/1wNVK1UoKQ3JP/M/VwWA1WDVWpVYH/PzCcIK5VUQG9Yb9hr2GhYQJT8n/ysaFg12vfY9Vh/2sAAAiwSVRXaQr9"
     "eEVIfXhFaGJqcL//OH1wPdsr2k/bal7QJT8n/ytgXAADQkNf/XA1TcJX0r/yuP1w//f/1wjVK1UMKRwhPzML1Q1Pf/"
     "1z9XK1YAKT9HB8oDVA0/T/1wPUK9agJf9LD8sP1w/3epdoFUG1bQJT0nmyn9VwgainRK9X/1cAKCJKioqvVwZg5H90"
     "YWRtZFJv8H/ytG9gAYCBqP2vpXX/F8Aowkj9Qwr/eFpU1HSfVLKf8LBFRNpw"},
    StoredTrees{4, 2, 4, 3,
     "BgHJgHJl3V/3VCXfSn/yrBl339P/1joFkpFEpCor9HVXJoFEBYFjSr/aP/YHxzEzJXyKq/UPaapa1RaGhaGp1Chvyz"
     "iUVaGpr9Xg10hFXhFXhCmdwJ/8LhFXWoOVisVaoVdB/y/MMcKIsVVApQHrf3BQV/23AAXAgWIiqPfXv2nA3E2FWFGk"
     "VCH/zHFypGG2ZnSR3bZHeZHe1CW/yngyoZHeB2pn3T/1T/13DCoKXQKqy/1TAAAKP2I/0aj21AFHz3/yrKgG0PcP9b"
     "gNUj1XiCp3Qxv8rj9XNAB/9P/9rAFgpiH10n//LENoP23KEmhEEpknlRG1yp/xDv0naqO1a11UFnb3kynXwn/yrFal"},
    StoredTrees{4, 2, 4, 4,
     "1Wqb9VDQVoG/2q4MIAApcICqwj9aDgAAEAqg2Bq1bGjVsUNUz8qu/wIwaNWwGq9uWymtVAYldpb/K/jCVxKKrJVqmg"
     "ANAD/2vo/aegBhKGIWadKu/8AyA2EgRVAVaq+l2ry/UPyLKpq9KWv8y9dQ8A/1AwD2olgQIX1q5QIDP8K+AACDb2qg"
     "pA13/3XYNdRj111IKoksqi//8+PXXQ/9Awamqtod5213UcHZT8quD/8/aneQAAAAqkGP0fdD19+wEECI9b/yq4F30Q"
     "ADUMoNawPVjKlWsYKpl8AE/zA8/1bwP2q4rapihqmZGgZEItN8xv/yo4oVBQ/1V0raqmRUJ1GroUCJj8wvFlVVkaqg"
     "aaqZFqlnVoUdUzT/LPMHLOy8Mh1aFA/ah6HUGqZTeplN+lKrv8AMRcwSmU3gZgDhFqhkXAE1YCe/MD6MUdYiqpFwBA"},
    StoredTrees{4, 3, 0, 4,
     "NZ/XAUD3AMDxDzAADXa+WqWqUAKqwAUAYUUANh/3NlJlBdKiPzAANlAA/f/fPbDXKqBRKiBZF1aqa+Q8P/DzAMFdQ8"
     "Gi2qUA2qIACmCqEA2qr3U0aFamAMcA/Dvzb1NCr3g0PXAcDRDTAwqWD3a+QwauAAAIAIBBayAAgEJ3P3AMBRKiAAN3"
     "PTo0qFPXAcHRPzAAD1NT/fNWpVDfKiPzAAtWNBt1p1BFKuMMMIMAtF/TAYDbtXFfKioAAA/f0M0A3dHbI8iCwkyqHZ"},
    StoredTrees{4, 3, 1, 3,
     "AAQTVLUJQlAXKjdaFi2jYPKjMJcq2DGrQND2gARxHI8BotG2fRFmKkB8qyoZX1fV9U3PycKwfF9afRhH2cKPQVBsRG"
     "2saJp0EKkIwL/NBAArSpjUDYpAHKgBGjQxA2kARxPIlNDAD1zWGkIgCQHyhWAAqga1oKsLgrPPQAAqgA1sEIkijACq"
     "BoGZZtFJcqQPA/R"},
    StoredTrees{4, 3, 1, 4,
     "AANAwdxHZQ3UNlDZQqodhq179erXo18/8DzBXCq6rXFQdq4UAGBAAQIkAqhUkUA9TfUH1ZNWYqbAIcAPAD1dbf03JJ"
     "+0fglOCiksmBZN+AACqomiBBArYAkQJcqoGqa32lJpfWnshwnQK0ZfNBfAAN9sRQG1wBQBVClgqoaaGqtAEdFHRQoY"
     "KqAJQqodFBqkarWu1oggQKqABgqrWCGqtQAYAGpgAQQIEwD8sYAABCqYAEP9wvcCmCCs88qm/9xQQ/3/9wqpym0pjK"
     "r/3AACqramlBIVWKmyisKrQM/99qpdAWrkg5MOzCxzPdM"},
    StoredTrees{4, 3, 2, 2,
     "AANqF/UCgAADwP1a9z3f1/zwkCgnFfBr2va9gAxzJMozQAAqgB/0BVJ8rzCpPQpmmYZCPCgLwEG9okPVBWipA/BVaV"
     "2Dapo2Dy8wzRKNgAA/Qd90CQKADwPdADWhU9oABcKwrBaEA9oV9UCiAUHyr1ACtWFbVCvAUD8GlH0atgl3ygHCvCxo"
     "oGAf1BVSvCASCEV"},
    StoredTrees{4, 3, 2, 3,
     "Bq9IxQ9oABBCKCBAxoAAKGa2Y2QX8rQH8qY2GqWo2P2v8PAcCsIM2vpB/Z/ZDRoqcM8LhKhRN0pdpp9RAqEJPCP8tt"
     "Z/2vWp1P83yEyUSoVFAaKaAa9XAoIwAw8zKYAA/ThZ9ZAhApABKC/ZAAgBdV9rAAAwAwMwdpBqtJxp9pABAqBAKVxB"
     "BA/2BV9dAqBAHBPK93/3D093NUgpEVMpQqBW9DBoBChBwqjKz0X8BC/QDaYYZaUt8NgKgqaa"},
    StoredTrees{4, 3, 2, 4,
     "EUH2rgUA9qIAAAcLKwsrAwaiD9MrW2tXY1VBVfKqQADwCGNXWo7agtA80j7wvglxCrIqsNI8vfWN1f3VBdWiqnAE8K"
     "qwqkHV9Az1fUai9q4CgFDA/MRUqkay/QwNAGGqbaJSqvCugUmCqmmq//eappqG0ATzX8NTAVOKopgEA/f9pgXV9d0C"
     "0QKiJAAoQP3VgARgNE2G/bYBBAH1AoUyqn2m/TQdpjUE9a4BAAHTAqIiFPWmRar9qvWuNVuCVwKm01cyqgWCA3crVy"
     "NW9l4CoiMCggLzDypWvfWF94WmhQSCqoCqUAD8wIX3hqpGovai9k4CU4Ki8AwxSfZNZAxqolgA2rKy1QzVzdVKqlqC"},
    StoredTrees{4, 3, 3, 1,
     "v0PQF/UAgMCQKP9ADa1jWtQvwpD/Frab9v2DWotBfJJQWZr1BY1f8yAQHytaqGoQ9o38jQPwqyNAAgQW/YAMiwD8P3"
     "/1X3a9iMjKDQLHYl09al/UAgHCsW6lAAqiB/UAQBAL8A9/190F/UAqA/QPH1P0qRpGEQbyED8BB/TVxUPT0IwjKAhU"
     "1M2vQNKsFB8oPBQ"},
    StoredTrees{4, 3, 3, 2,
     "Na/QAU/aAAAMAcCk/aRv9rpppRvKwkwoigpB0A02GkGGEIvBfK/MGGB9lqdj9v/PMLMXIrdrAAKhNNv1AFDFAJ/KB9"
     "/aPU/aDQsFHJPBVKDYgB/1AV/1AJBxDyPwD1P0hVjV/XAIAQCgDA/VAA9BBd/dANAKCKAAB9Aa9aBQ/QAICABADxBQ"
     "AGKmB2P2AGDG9I/DNG/92pEBHakKfA/EQMGpAAP2D2AGCIrCXA/AAEoBmZXRXRVK/AoC/8WR2QWd3dNdrK/U/0Wc1d"},
    StoredTrees{4, 3, 3, 3,
     "BqnQxF9/dQCkBKCggHxH9AACqpYA3alAD8yfMvzBaqAAEa92vZj/yyDMwXMqh2PoAYBH9tDaaCG0K/C4wqNpABD90P"
     "dAGQir8DhAfwoAZADfWoFq/QACkoJFCj8UFAkATQHF1jdQBU0lhCQyrH1Bqn3RNm/RQCkAKAQgpxB2PYIEqBBoQbCn"
     "0KtKv/yBBH0G91Bd/UQCkAJAARSp/RP0ARo9Y/UQCkAKKAPwz9T/ajXAFg/RgCkUJPwk/wFqP0CplqRaGUBH8dAKvw"
     "BAZWv9qvRD9sPzfyUMqCKgagAASqGlFl1dSp0X3F/yull"},
    StoredTrees{4, 3, 3, 4,
     "AD1329EHRPX1AJ1AKqAAAAAAH3R9oFNSGZqmVQE/HdwLRwqisoxVgU1tNvdFvd1/ZlAKqAcACsAQcDvd1AGq/2qP2q"
     "AEQKJ3tCqlxI/zDA2i9EM/aiAQEAamAIIFDEPTETyqAaqdrd/Tb/db/dbANXAKqAdASnH/dbv0Ur1X2FXm1WlJXdCq"
     "/KUFCq2lXAGCYGqT2i/WqAKmAAIACALDAf2q/Z12SuHaqPamAAGAMLAMLQJRHYEAAAKgER2u/WuAEAAGyAGy/KydGu"
     "AAAKqqBEA/WuAEAKGyIEw/KyN2q/2u/3RalVaF1QKq/COVAs/AsYFVP3Rh33/X3DWmoIE0Cq0Kq//zjX3aD/WqyVQ8"
     "9q+PIwDyihVxyqqWq+Aai/VNAaiMRCrNT0lV0qm//LAaC"},
    StoredTrees{4, 3, 4, 0,
     "NBLXDVt1JxrT0w/zqVauauauQMqyTLXJ/LQMGq/TIQv3AzwmwnyqHTAAKqGqHRHR/Tqy/zGiPTqWAU3XPzMwMAEw/X"
     "AYQ0dFd1phKuIcKuZ1HX/bJTt1PzDzDzxVJTP3rXqVm1HBvz/T/zjV0MGC1v1vFzPTAwDz1uUMWqWilWFxPzBADzWq"
     "tZtZpRpVBxDzAwhmtR0MH3n3qWMwMxMBfzk0NZrT/bAYbx1Bvz/zoYGG02UFvXwwkAfD/z2mq2amQEX3qAKQyivzam"},
    StoredTrees{4, 3, 4, 1,
     "/09ZyWX11RQk9DNyV8OWXvdyvb9HD17AiyAsgJsSp2jaV2HZB1Rf88hDAwyI7dBAACqpqu2hpAk/HKBv8tAMHV//cP"
     "3INCoqlz38//MAU/92llrRdnWUX/LrywFVrRVvGbNVr/Y9c9UnXJ/ytlT1Wz/doGb99AX/H/x4Qhqm/TyEQ9bK1iAi"
     "oKD8z/MVZr94BSqW/1xAgvMKniqqPXalt/dQV/1wAjIQyqsnBf3/9y9cBUq1qAgrC/cwfL/XqRv9cDUs1TAkvDDSz/"
     "OjUAGChr/Tg1KooDBPw/8OjQAACqoNDWWd8H9Daxv8slp"},
    StoredTrees{4, 3, 4, 2,
     "aB12aVZp/WMDDCMoIZDL8FZB19z/30/fQFhGLtXH/8uf80BcAAAqhtA0GtaaJr83vSv/Mxqm/2sHUA1j/2sPIwlyKr"
     "IlVf1rUaxhrHVNdWX/PwhuAJwgrHWNf/fRNJ9l/2cQKCIOAk5Kjp9lP9sqmgDYpZevJ2MIczD/Mz/bag7cAdlt39+/"
     "E8MgwACCMt9toASkBa1n2fU/KyqioACwBK1nADSv15AU/9crJawJ1Q3/z9qWVvZX9lWmVUZXN383/Tf/K1UGWqp9M1"
     "n12TUfNb83qzaUKFkVB3QvV/1nD3fRNJs0myj/D4V0qPao9WYFRnV2Nd83/weDKHb1raeFxoVHjWeLKLyTjKOLxYWn"},
    StoredTrees{4, 3, 4, 3,
     "qrWXf3/RXA1VtClnQn/QHPyr/f3WgG2Kt3ap2YB/zfwJWwKrgLyXQBa3V/9XD9XgNUhiW1clv/HifJAFU1AOFPaVva"
     "Vh2VSlfwn/zHgyo1geT2r/VTwWhw2pxCBjQzVSxa8WwWpv93r93YN0/13ACUAyqAUiKoCf93BgARn0dYFdWl/wHMDE"
     "MDEKCodal2feE/VWde/13CCoKUIKoiL8zX9fN/RL/bDXb03cGCavyr2RR/yz/ff/ZfCWZrWVr1VmClvQrrwnVlJrWV"
     "P3TAdYPdbr1XsCksCoaCo/wzBdZagG1gGl9mv1XoCnogroirkizlV3pb0j3Xh3VT1XSCp30BFcpv8Hj3XA3UKH22GV"
     "WFVWCp/QHdyp/zzGGV2aNHap3YN/W/AxwDCvDBfCKtHcB"},
    StoredTrees{4, 3, 4, 4,
     "/2o79argFqio0BCwKov9Ke//y+VVRQFAAaP/dG1xnWX2dZfb/F/syrCzFcHIqwnWX2AAAAqgGBq1bGjVsQFV38qe/y"
     "q7/ADBo1br192j306dae/1p4AKpglKKCoAi/zLKVaePTU//1f4/VfgFVOGKmtdIe38q7//L4DVTTWqZvbDEREE/2p4"
     "AAHALMYAlxhKpKX9K+Wajrdq8tWqG3UAz/NTwAVxMKrIicON2DMABQEtarkFAA02t4QClj8Bc/yp7/KrmFqiBGqIta"
     "rv1qOD0BygKoq0Ki2wDD/MHwFqiGqqpata9o1r23WsQKpj8AMpQqb/wDNq1rAAAAqgGB0bev1t5wEEFgfRfx1//Krv"
     "3beAAAAoFFStqma2obcIJJ8wP0DAf/KDitqmD903/3fYAdRi11WIKlt0IWH8q7/yzo/dd/3QwH3W2ZdZZt1l1JVf8q"
     "uPzQ8Abw2ZdZ1lQkVqptVAEPWq6HLTfzNdDKq4H/yxWoG"},
    StoredTrees{4, 4, 0, 4,
     "BBaGa+Y8CyAwBRKiBBQ8Ki1N1BFZ3TI8CigAoAAI1ZwApFr3oEamAMcA/D/Djzj3TDD3tltlZtB9KSCiCiJVtlAQaC"
     "WqWCW2KOggwwVVaqWqgg/TAY/bNbFfKiEAPzAAPbPzNZtVpVB1KuDzAEyqwANVCqH3a+QwaqAAAAMANAPzayMADTo0"
     "BFamAMBBKCDLPzr3JBDT/XBVZdBVKqDzKiAg/XBRN0/XpVpVBdKuAsIsMsPXIsGi2en3FUP/FRPzPzAAH3EAGi2q2q"
     "EAKqCECqCqEAEAAEAAgEFlPXJdCSAQMQKyFlIQ/30EH1amIEwIfL/DDLH1/L"},
    StoredTrees{4, 4, 1, 3,
     "PSBY12kAQqAUKgAjUKgD1vW9b3PycKwrP8b0XAtH2fZNGKkA8rwJKFFCgWjQ9D2gARBPFUmkEA8QBomia1sIAIgCCs"
     "DBCAAAAqipgFFcqxDFcqIGEAYNT1rWPDALJMo/zWsswACAa930KgFCoKgAr0BQ9cFDWGYKQKDz9P8Bb/AGjQxA2kAQ"
     "CNA8g80MUA2sQBD2kAQCHA8BQEM8AAAqgB9kEQZBnKsAKnGQatAEA2kAQyPAkGgQAcA/X9QV1cJIIQDwDB9XwAD3aV"
     "BULKzMJQvCXUEqA"},
    StoredTrees{4, 4, 1, 4,
     "DQd2UdlGZQqYKqCVQNcKqHZQqoa20t9rfb3838nzK8yvMnza3yfMGqtAAUAFAAgAAEQqnK7wIGAPAAD9yqYAEGqgAD"
     "MMDCAwjMMKpgwA9rvZr2aNGEqpwAcAP9O/zRGEKI9DNQDV9mpkVXKqSqkqbKKVZcFUf/9rJYg2PADCSivw5UFqG1PI"
     "8MGqtAAXTGogAAQIP8z/MPzH0x/MGttK4UAGoggAAIH8z/MFRFAD/M/3/9P3fllghTCmABQwUKqF2wAUAAIDT2Gl9w"
     "gTBVCpg3fKq99wAQGqtQAWB2oggBAI8wPMj/zFgUMAAACqoqqgBA3cP3wRs1fKqAAMnctBKTSl2mhsv0PzJTCq6QEp"
     "Riq4GqlQDUM1QIkTSq0DNKr/z1ANAg"},
    StoredTrees{4, 4, 2, 2,
     "ED0wUBoCAMEwzAMBgzA2NaNr2PzwnCsKyr0MBwrVpWlYVCvCnK8r8YW8gAABn190CQBAEgfKfcgQ/2hb1hWinB8ryn"
     "AlVAQ9n0hd90CSKFwrJFF0rAQ9X1a1Dy8wCRKEsVjKANr0AUBoCBAPA8ARBocAAD9j09cCAAKAcDwBYEAAT9gW9cCA"
     "KDwrAMPQHAQD2jU9UCQSKQVGs9QNAQP0PcNiARBMFAWKBzwQPUPQ1AUCoCcXyvMDXygFUahQHYygIwbBMrGoBg/VpU"
     "FbVRfK/T/AYaUNA"},
    StoredTrees{4, 4, 2, 3,
     "AA9rBA9rAAAwAwA1AqBAAwoFa1Y1bVUq8LQi8Tgya18Q1DWvWv1P8sAcCrCrKjVPBXAAararYaQg8JnKvK/8QDvKAA"
     "ABvZgRoqcU8q8q8A/dQlW/2r2D2zswwwycCsys2gysNopR9p9BAqJAKAPAFAthFAAAarfa9bAgAKAwA0A8QQAwAAar"
     "QQ9QAgAAAFAqAAfQAqNqxgxA9gAAAqD8K0A8xAB8NgxBx191AVAqB0K8A8x1D0AAfbTQ9YAgAMBNHKPAQYKNRr9ABA"
     "9rAgECPAJwaU9qHA9qBIBgBAAgjK9A9I/xBA9ATQ9a9bFQ8vyMwcTcSsFQws"},
    StoredTrees{4, 4, 2, 4,
     "GqrarhRB9qoAACcLKwMrAwMDFqoHAwA1NrX2lfYV9CrvAEVCT8qvzzQV/8JAao5qglq+UDzyvglxCrKJcYqyUDwBMQ"
     "/QxpAGHZbdlC1fKqEBTyqgAAadkQqgPaoNqg2igaaCqoCq8ADygPLMAapwAA9V1mpnUM9q4SgDDABcgqyBVxZgwqyA"
     "APcgZRdl930CcaKSkKJQovBU92WQEADdH93Y1V9VXCqlAE/Kr8qv/z/VVcBAVoL2PgQy9K4AAAAALABHEGsxBDIoAA"
     "PdMF241XhVeBVtKqEsfS1/KqjVfTxwBqIFSfaiNkLCooIIUAjyCPMzNoLyDAkAS9pv0EBXeiqnAg8KoQlvyqhabwAA"
     "QABqqlUAV99yrvBNkIqwqrKKWqqwSQWo7aotKM2MDyzAyiCU0KjirP0MAKjgD/eappgG0wfzD8KqyoIKiv/zmgbBQQ"},
    StoredTrees{4, 4, 3, 1,
     "AD/QN/UAgBAEAgwD0AQmr2jUp2sqMUnyvLNrygAAaljUdUfyEA8PwWs8A/YNgF/UAgQBwPBVAYHA/2va9AWolA/C8p"
     "CoWQgVrWBaNj81J8ryWKFhSQf/9/2DSQjwIBcHwAUsANrNMF/UAgUDwJAowYHAAGgQV/UAgDAMMwz/UAwf/9AFAYAA"
     "CDT1A8Ab9ANrNMF/UAg8CQKAAwYKANrNMF/UAgUCgKA8wYBAYDaxpGGQjwBwnA8EEPAqGrQ9PUAsgwDAv8IHAA9N2v"
     "X9SsrCgKCki9QAQ"},
    StoredTrees{4, 4, 3, 2,
     "NazUwY/WAIABAKAKCgwaABphpppRp1rK8E8ooov8pp8U/9Gt2p2BEKPBBxBhDy0NDxQa/QXaWY0K/AoCXCfFfQrCdv"
     "9o9r9j/PMLAXAqC89jArD0P2j1gFiKSN/F/F/KgFXJPYhSjS/aAAAcCsCsBcjSBcAAYBT9/dAFAKAJCKDAT9CKNYzS"
     "wY/UAIABARCiCswUChNazUwW/XAIBwDwCQCgwWBw/92pGBGaUI/ABwDwDwGpBwD9/1gF/XAKCAAADBAKj1AAPQ/aAQ"
     "/QAKEAPANBHK/QAA/Z/T/YDQ9IrCXC/CfwDQ/CGqWzVQWo/AMiMsMnIrWgMc"},
    StoredTrees{4, 4, 3, 3,
     "PagUgNg/YAAAQAPBSD38q/QAyo/9Brba32FhCq8K9QP0CPK2N/UAWr9anWhdg/zIyXMqzKsvzVQTFcr0f9mPZgEYip"
     "opdElRX8qgEXSEDQPUEF1/dQBUAqCQAoAHABdQoAAACBX9qDYGSr8ArCqwr8KDaqwoAAPQMFc/agCAJwCsArAAwBrA"
     "XAA0PRsFQ/WwCAPIBwAkAKwB2A8APUPWsFQDagCAFABwN8D/ABavcAAavWoFq/awCAEADwAcAPFBQAUAdoP0sNg/QA"
     "CCvK/8HfRf8AQD/A/9K9WhV/1QCo8IXBfyoDAr1fwU/9BqZYGW99Ct8F/Kvz0AqWplAUtqva/1PpfayrQqEtNJQys9"
     "r9PQ/aFmrdA9T/y/AswXMKzJc1S8Kw"},
    StoredTrees{4, 4, 3, 4,
     "p/3mqmmqmvdFpKmtIIpKq9Kq//zmqGpKqZrfRNfRJb/dfxKiiBxhyyzxVSqqRNfzwwVqG9ws9qydg8/LZ82d8ldMqm"
     "bxJ9ow81d/VdBaq/aCPaqwMIjMLxcHisLVcLHaqisHaNTatfYNfadbRFa/KmXKq/IcPKqapf/Ku/2qD2qP2qA2iKLb"
     "pyqrwIVzE/yqAWipwIa/32r1mr1mD12K1fKq/BV/Kqg/HmD1XKqABQINbZpdbbX2BV/CW9NX9Km/KIZpd9NXYAZard"
     "Wrddb1VK29Gm9G29H3/KqWrd9G2/3dL3ZT3ZfX1aKqXAkfBU9Cq/IM/3ZfCmAABaoNWjdVX1dPX9NW9NX1Km/KqWrd"
     "9NXaqe/aiBUAvUxyKiwoCyoKyUDyqW/UAwALQ//aqiVaw/auFLMKTMCjMKjM/zMdawBTIah9aqyVQ89am/K+ylRgqi"
     "wkwipxaq+wqy2pdUqSWYfUc2fMX0s2EFVEqq8kPVUeEqm"},
    StoredTrees{4, 4, 4, 0,
     "Z3/XoUD3oDgKojUnaqqWoj2O1DVvVvlzPzJRKiswVvKiYMauamYEhzXD/P1N/PQEVJZd/bAZqWswsEsEsIllPbsEr3"
     "o0K2pljThxjzjTjzKWgxt1J1R1d1thKeCuyqjEZ1Ceq2j1qVrVLxrzpRpRPzjV/zv3/3QEf3hxyqxFiqnIamyqjXKW"
     "/XEUqyqCXD3DvLEV/D/bIUBVtZ/zoIsAoEsI/XsAUMWqWqUBmxfzZx/zfzWCdx2u2c2mf3rwHIKIKcKuX3KMT3/3j3"
     "v3gzAnCqCqJdoECWGqGq3R2dWR/zvzNx/z3ZpBaiaqUAVulzPzPTJRKyWqKS"},
    StoredTrees{4, 4, 4, 1,
     "FFdqYQUP1wAgDwAcAHATyH1wPAarmq5quajkAj/DVQf8sjwaDv0MVbd0vdj3b/89cn/K/ytme3a1ycqBqvar2qNioo"
     "PD/Q3dH/zAFK0Mph4YWmVhlZUk/LKAisIDwNlSsI/92qZqGamkAT/LDw/8+UVapqQkZn29dwYY2EAD9DrS6Un/Lc2A"
     "EAP99/cQU/1wAgAcKriq4ScH9wBwP94BT/XP18AigIMgDJH/zD1zIAAAK9cAU/1wAjAIwEMqL/zoFMqI/99pofUv1w"
     "AgFBJ8Q9MXxGFCVE/3yBAfXv1wAgyAJQTckfz/3w8Maav9cPXj1wAglBDwxFBqiAFCgIf3/9P/Xo1AwmvT/U39Nlxq"
     "Fv1Mlaf2MBoAUIMgoCXB/yeYpAYPys"},
    StoredTrees{4, 4, 4, 2,
     "p3WNZ4FUg3eAJtQJ3/P/8wmVgVTX8Qaa1NjW2tTY3/P8CUwKjAqMLyTY3AlAAPQaplgGW2rQIT8zpTF1Mf8XWqb9Mw"
     "/d8T9D1X/1cQKD8LKU4qigDM/Vcqjgv/f/1z/XABQmKqdLp0Ov85VVABSnQwZmpGQkZSRlZVK/8H/yf/F4QoRmpQFA"
     "rXeLVUh1S3VMFd8rUAz/zwZmS3VfDw/RM9N6H0o2SwBFcp/zP9I3/LoaQEMQYNxqmlqeWjZQKf8HVcnVzf/PWh7/zw"
     "/dMj2P9bP1vAKMJLyrLKssgwP1vKcgaqpskU1p/2MgLAIuAioiUiqubWECKg/98k0K2Xr1egKFsEWyjbBP8rrZdbKA"
     "v0f/1wBUP1cIJQkJz/H/8xfyP9fJ8Qr/eBpIUHjfeLKNwDFFf8qw/zhacUqwGkbVq9Vj10P/IzDAPHPcnfyv1XP8Yw"},
    StoredTrees{4, 4, 4, 3,
     "AAA/dvAdvA1PAClCAKRcJdUF/8LARP/8Lbb3fSvdYBdXJ/zPsBwsKwsKwc8wdaNsJwpgGpvWZvW1gWVRXfyXXyX/RX"
     "/yrZgWfxX/2HA0oD0D/2nMCEInKyrGirKSXG/2ryXGAAA/9rD9DANoBiCp0rt0Br/z//zABop0hP/Tb9fQBQ/1TACg"
     "KyMKUGKomFRJf9TKoqoAViA1iV1i1VSCp/wXryr/yrjwHiWl/wX/QD/ffATTg0TgCVHyX/xX/TXAyoAfTXxXZYO3SP"
     "0fWk3X0CVPyrFfB//zRvykfXP/Df33/WrAWrA2jACLhQhr8rVUpapeAUD/8DP2jrVXoWno0FoCV3QrnQT0yg//zoWn"
     "nSjZZ9/2jaUAa2q0CBfwj//D//LFvxaUARfBAAEKqGPQXD2nMAIEwjkgC0jC/zDAakkiCmapVah1a9/Y/KyxLMtDFN"
     "DKNL/P1Y9DKN//fEPY//bP1XwyozKoyLQyJQyKwP/byLQ"},
    StoredTrees{4, 4, 4, 4,
     "/2q4DdAw90P/3T4DJMggo6FXDYqsOjMUx/3T8qsOw/3Q0G1nQZWdhVV2HKql8xc/yq4PITVGKmBlZn/KrgBap6NTLP"
     "2qOrUBT/NvTAmFIFbUAqdi/K+/YTwgptQ/9A3/334/aegN1NLKpkkIGV8yf/zH5ZsngFpJWzNwYBUT/avv9KuP2q6H"
     "LDMxMMyowhfzDG/LOQUlKJTCAZv/tlqtlUD0/VL0nIySQLOxcspVgzG/F9ZSISHyzg/9t5qn21qVa1hdtWF3/8qur0"
     "C//wPwmRWWhdv/QPwb9ER/3b39dfVd1t/G3dCquELJw8lXQyquf118QonAVao7/ZfSNquH000gL0aIKiosq6iRXWqK"
     "qI2o6iyrg/9AwA2ov/aOT9W//LbywVxyKlLMqosmcjT9q7MkUAtmpav332AfTfZp7fE0T8quDTM8DMw4YzLapVkNMz"
     "wAN0Eqv26AfVr91+XFXvwqu/Bl63Kpv8vMr990MHXwf931f3b2Bdj/1m2mKkrYKitgIC2BRZ/Keb92+2AwAaAARpAN"
     "Gmq22WrYVAF/8wfUTBPfMJz8quaarb/MHwd2dT/SnqNoe/2t6NI0sfKmz8CzKsiGZiYo2p7FQJA"},
};
// clang-format on

}  // namespace

TreeStore aspftr_trees() { return {kAspftrTrees, TakingTurns::kEverywhere, false}; }

}  // namespace selvedge::spftr
